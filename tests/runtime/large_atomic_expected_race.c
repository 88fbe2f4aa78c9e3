// What a compare-exchange expects is read.
// EXPECT: bug data-race
// CFLAGS: -latomic
#define CALL __atomic_compare_exchange(&shared, &operand, &other, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
#include "large_atomic_operand.h"
