// racing_neighbours.h with two variables of type short.
// EXPECT: bug assertion|data-race
// OPTIONS: --races=explore --stop-at all
// MESSAGE: assertion
#define TYPE volatile short
#include "racing_neighbours.h"
