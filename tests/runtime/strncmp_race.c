// strncmp reads shared memory.
// EXPECT: bug data-race
// CFLAGS: -fno-builtin
#define CALL strncmp(shared, "heddle", 6)
#include "string_race.h"
