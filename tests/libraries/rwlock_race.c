// Two writers that take a library's read-write lock for reading.
// EXPECT: bug data-race
// LIBRARY: -O1
#define ADD lib_read
#include "lib_rwlock.h"
