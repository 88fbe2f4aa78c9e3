// A library's semaphore starts with one unit: it is a lock.
// EXPECT: within-bound
// UNCOVERED: library is not instrumented
// LIBRARY: -O1
#define UNITS 1
#include "lib_semaphore.h"
