// Threads that a library makes write to one variable.
// EXPECT: bug data-race
// LIBRARY: -O1
#define WORK shared = number
#define BETWEEN (void)0
#include "lib_threads.h"
