// Which thread makes the one call is open.
// EXPECT: bug assertion
// LIBRARY: -O1
#define CHECK assert(pthread_equal(caller, pthread_self()))
#include "lib_once.h"
