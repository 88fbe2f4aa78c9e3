// A library's barrier that waits for a third thread.
// EXPECT: bug deadlock
// LIBRARY: -O1
#define COUNT 3
#include "lib_barrier.h"
