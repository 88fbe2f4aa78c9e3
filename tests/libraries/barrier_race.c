// A library's barrier of one lets everybody through.
// EXPECT: bug data-race|assertion
// LIBRARY: -O1
#define COUNT 1
#include "lib_barrier.h"
