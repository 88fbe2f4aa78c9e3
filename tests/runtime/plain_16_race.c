// A plain access of 16 bytes.
// EXPECT: bug data-race
#define TYPE __int128
#define OFFSET 16
#include "plain_race.h"
