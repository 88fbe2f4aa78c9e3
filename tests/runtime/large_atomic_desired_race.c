// What a compare-exchange stores is read, also if it fails.
// EXPECT: bug data-race
// CFLAGS: -latomic
#define CALL __atomic_compare_exchange(&shared, &other, &operand, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
#include "large_atomic_operand.h"
