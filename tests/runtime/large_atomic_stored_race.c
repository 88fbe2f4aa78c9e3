// The value to be stored is read.
// EXPECT: bug data-race
// CFLAGS: -latomic
#define CALL __atomic_store(&shared, &operand, __ATOMIC_SEQ_CST)
#include "large_atomic_operand.h"
