// memcpy writes shared memory.
// EXPECT: bug data-race
// CFLAGS: -fno-builtin
#define CALL memcpy(shared, other, sizeof shared)
#include "string_race.h"
