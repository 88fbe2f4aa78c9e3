// The bound on preemptions grows until nothing is left out for it: everything has been explored.
// EXPECT: verified
// OPTIONS: --preemptions=auto
#define N 3
#include "philosophers.h"
