// A plain unaligned access of 8 bytes.
// EXPECT: bug data-race
#define TYPE long
#define OFFSET 15
#include "plain_race.h"
