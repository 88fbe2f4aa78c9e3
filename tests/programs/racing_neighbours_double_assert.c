// racing_neighbours.h with two variables of type double.
// EXPECT: bug assertion|data-race
// OPTIONS: --races=explore --stop-at all
// MESSAGE: assertion
#define TYPE volatile double
#include "racing_neighbours.h"
