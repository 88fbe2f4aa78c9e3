// strcpy writes shared memory.
// EXPECT: bug data-race
// CFLAGS: -fno-builtin
#define CALL strcpy(shared, other)
#include "string_race.h"
