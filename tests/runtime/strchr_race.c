// strchr reads shared memory.
// EXPECT: bug data-race
// CFLAGS: -fno-builtin
#define CALL strchr(shared, 'l')
#include "string_race.h"
