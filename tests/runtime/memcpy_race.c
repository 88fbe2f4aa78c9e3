// memcpy reads shared memory.
// EXPECT: bug data-race
// CFLAGS: -fno-builtin
#define CALL memcpy(other, shared, sizeof other)
#include "string_race.h"
