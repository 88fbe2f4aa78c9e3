// racing_neighbours.h with two variables of type long.
// EXPECT: bug assertion|data-race
// OPTIONS: --races=explore --stop-at all
// MESSAGE: assertion
#define TYPE volatile long
#include "racing_neighbours.h"
