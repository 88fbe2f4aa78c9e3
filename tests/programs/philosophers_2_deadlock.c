// 2 philosophers who all take the left fork first.
// EXPECT: bug deadlock
#define N 2
#define LEFT_FIRST
#include "philosophers.h"
