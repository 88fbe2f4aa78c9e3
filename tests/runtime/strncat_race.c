// strncat reads shared memory.
// EXPECT: bug data-race
// CFLAGS: -fno-builtin
#define CALL strncat(other, shared, 6)
#include "string_race.h"
