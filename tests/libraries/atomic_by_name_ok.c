// A library's counter.
// EXPECT: within-bound
// UNCOVERED: library is not instrumented
// LIBRARY: -O1
#define ADD atomic_fetch_add(&lib_counter, 1)
#include "lib_atomic.h"
