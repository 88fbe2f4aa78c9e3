// memset writes shared memory.
// EXPECT: bug data-race
// CFLAGS: -fno-builtin
#define CALL memset(shared, 0, sizeof shared)
#include "string_race.h"
