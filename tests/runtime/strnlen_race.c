// strnlen reads shared memory.
// EXPECT: bug data-race
// CFLAGS: -fno-builtin
#define CALL strnlen(shared, 20)
#include "string_race.h"
