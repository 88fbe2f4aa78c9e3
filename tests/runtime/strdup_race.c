// strdup reads shared memory.
// EXPECT: bug data-race
// CFLAGS: -fno-builtin
#define CALL strdup(shared)
#include "string_race.h"
