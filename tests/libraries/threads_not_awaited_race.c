// The program does not wait for the library's threads.
// EXPECT: bug data-race|assertion
// LIBRARY: -O1
#define WORK (void)shared
#define BETWEEN assert(done[1])
#include "lib_threads.h"
