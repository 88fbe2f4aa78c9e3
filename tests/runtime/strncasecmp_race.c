// strncasecmp reads shared memory.
// EXPECT: bug data-race
// CFLAGS: -fno-builtin
#define CALL strncasecmp(shared, "HEDDLE", 6)
#include "string_race.h"
