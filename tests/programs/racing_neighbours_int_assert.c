// racing_neighbours.h with two variables of type int.
// EXPECT: bug assertion|data-race
// OPTIONS: --races=explore --stop-at all
// MESSAGE: assertion
#define TYPE volatile int
#include "racing_neighbours.h"
