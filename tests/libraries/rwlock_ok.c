// Two writers under a library's read-write lock.
// EXPECT: verified
// LIBRARY: -O1
#define ADD lib_write
#include "lib_rwlock.h"
