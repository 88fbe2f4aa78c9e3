// Two writers under a library's read-write lock.
// EXPECT: within-bound
// UNCOVERED: library is not instrumented
// LIBRARY: -O1
#define ADD lib_write
#include "lib_rwlock.h"
