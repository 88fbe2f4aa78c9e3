// 3 philosophers who all take the left fork first.
// EXPECT: bug deadlock
#define N 3
#define LEFT_FIRST
#include "philosophers.h"
