// A plain access of 2 bytes.
// EXPECT: bug data-race
#define TYPE short
#define OFFSET 16
#include "plain_race.h"
