// strcpy reads shared memory.
// EXPECT: bug data-race
// CFLAGS: -fno-builtin
#define CALL strcpy(other, shared)
#include "string_race.h"
