// strcasecmp reads shared memory.
// EXPECT: bug data-race
// CFLAGS: -fno-builtin
#define CALL strcasecmp(shared, "HEDDLE")
#include "string_race.h"
