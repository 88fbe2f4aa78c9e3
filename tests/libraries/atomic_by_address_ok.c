// A counter of which a library tells the address.
// EXPECT: within-bound
// UNCOVERED: library is not instrumented
// EXECUTIONS: optimal=2
// LIBRARY: -O1
#define ADD atomic_fetch_add(lib_other_counter(), 1)
#include "lib_atomic.h"
