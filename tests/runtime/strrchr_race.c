// strrchr reads shared memory.
// EXPECT: bug data-race
// CFLAGS: -fno-builtin
#define CALL strrchr(shared, 'h')
#include "string_race.h"
