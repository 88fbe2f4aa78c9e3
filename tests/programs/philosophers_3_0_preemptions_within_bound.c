// Three philosophers who all take the left fork first, and are never left with one fork in hand while the other is free.
// EXPECT: within-bound
// OPTIONS: --preemptions=0
#define N 3
#define LEFT_FIRST
#include "philosophers.h"
