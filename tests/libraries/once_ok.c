// Both threads see what the one call has done.
// EXPECT: within-bound
// UNCOVERED: library is not instrumented
// EXECUTIONS: optimal=2
// LIBRARY: -O1
#define CHECK assert(calls == 1)
#include "lib_once.h"
