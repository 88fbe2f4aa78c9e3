// strcmp reads what another thread has changed.
// EXPECT: bug assertion
// OPTIONS: --races=ignore --visible=all
// CFLAGS: -fno-builtin
#define CALL strcmp(text, "hexdle")
#define CHANGE text[2] = 'x'
#define FOUND result == 0
#include "explored_call.h"
