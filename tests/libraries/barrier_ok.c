// A library's barrier orders what was before it and what is after it.
// EXPECT: within-bound
// UNCOVERED: library is not instrumented
// LIBRARY: -O1
#define COUNT 2
#include "lib_barrier.h"
