// strcmp reads shared memory.
// EXPECT: bug data-race
// CFLAGS: -fno-builtin
#define CALL strcmp(shared, "heddle")
#include "string_race.h"
