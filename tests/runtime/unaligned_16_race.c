// A plain unaligned access of 16 bytes.
// EXPECT: bug data-race
#define TYPE __int128
#define OFFSET 15
#include "plain_race.h"
