// A plain unaligned access of 2 bytes.
// EXPECT: bug data-race
#define TYPE short
#define OFFSET 15
#include "plain_race.h"
