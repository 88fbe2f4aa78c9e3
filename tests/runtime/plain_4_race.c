// A plain access of 4 bytes.
// EXPECT: bug data-race
#define TYPE int
#define OFFSET 16
#include "plain_race.h"
