// One philosopher left with one fork in hand is enough: the others find theirs taken one after another.
// EXPECT: bug deadlock
// OPTIONS: --preemptions=1
#define N 3
#define LEFT_FIRST
#include "philosophers.h"
