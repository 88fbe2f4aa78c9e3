// What was there before an exchange is written to the result.
// EXPECT: bug data-race
// CFLAGS: -latomic
#define CALL __atomic_exchange(&shared, &other, &operand, __ATOMIC_SEQ_CST)
#include "large_atomic_operand.h"
