// A plain access of 8 bytes.
// EXPECT: bug data-race
#define TYPE long
#define OFFSET 16
#include "plain_race.h"
