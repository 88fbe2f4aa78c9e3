// The value that an exchange stores is read.
// EXPECT: bug data-race
// CFLAGS: -latomic
#define CALL __atomic_exchange(&shared, &operand, &other, __ATOMIC_SEQ_CST)
#include "large_atomic_operand.h"
