// Work for threads that a library makes and joins.
// EXPECT: within-bound
// UNCOVERED: library is not instrumented
// LIBRARY: -O1
#define WORK (void)shared
#define BETWEEN (void)0
#include "lib_threads.h"
