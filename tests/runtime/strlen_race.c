// strlen reads shared memory.
// EXPECT: bug data-race
// CFLAGS: -fno-builtin
#define CALL strlen(shared)
#include "string_race.h"
