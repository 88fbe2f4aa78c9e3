// racing_neighbours.h with two variables of type char.
// EXPECT: bug assertion|data-race
// OPTIONS: --races=explore --stop-at all
// MESSAGE: assertion
#define TYPE volatile char
#include "racing_neighbours.h"
