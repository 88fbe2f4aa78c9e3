// memchr reads shared memory.
// EXPECT: bug data-race
// CFLAGS: -fno-builtin
#define CALL memchr(shared, '!', sizeof shared)
#include "string_race.h"
