// strstr reads shared memory.
// EXPECT: bug data-race
// CFLAGS: -fno-builtin
#define CALL strstr(shared, "dle")
#include "string_race.h"
