// strcat reads shared memory.
// EXPECT: bug data-race
// CFLAGS: -fno-builtin
#define CALL strcat(other, shared)
#include "string_race.h"
