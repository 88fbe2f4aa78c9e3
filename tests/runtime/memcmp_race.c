// memcmp reads shared memory.
// EXPECT: bug data-race
// CFLAGS: -fno-builtin
#define CALL memcmp(other, shared, 1) + memcmp(shared, shared, sizeof shared)
#include "string_race.h"
