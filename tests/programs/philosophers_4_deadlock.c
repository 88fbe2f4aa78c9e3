// 4 philosophers who all take the left fork first.
// EXPECT: bug deadlock
#define N 4
#define LEFT_FIRST
#include "philosophers.h"
