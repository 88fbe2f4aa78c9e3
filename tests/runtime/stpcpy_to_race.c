// stpcpy writes shared memory.
// EXPECT: bug data-race
// CFLAGS: -fno-builtin
#define CALL stpcpy(shared, other)
#include "string_race.h"
