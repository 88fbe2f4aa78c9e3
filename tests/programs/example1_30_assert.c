// Six and fifteen: 54,264 orders, and in one of them d becomes 9.
// EXPECT: bug assertion
#define N 30
#include "example1.h"
