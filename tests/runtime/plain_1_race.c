// A plain access of 1 byte.
// EXPECT: bug data-race
#define TYPE char
#define OFFSET 16
#include "plain_race.h"
