// A library's semaphore starts with one unit: it is a lock.
// EXPECT: verified
// LIBRARY: -O1
#define UNITS 1
#include "lib_semaphore.h"
