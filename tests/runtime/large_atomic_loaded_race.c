// What was loaded is written to the result.
// EXPECT: bug data-race
// CFLAGS: -latomic
#define CALL __atomic_load(&shared, &operand, __ATOMIC_SEQ_CST)
#include "large_atomic_operand.h"
