// A plain unaligned access of 4 bytes.
// EXPECT: bug data-race
#define TYPE int
#define OFFSET 15
#include "plain_race.h"
