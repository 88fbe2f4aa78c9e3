// A library's semaphore starts with two units: it excludes nobody.
// EXPECT: bug assertion
// LIBRARY: -O1
#define UNITS 2
#include "lib_semaphore.h"
