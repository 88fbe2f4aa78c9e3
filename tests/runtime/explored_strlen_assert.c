// strlen reads what another thread has changed.
// EXPECT: bug assertion
// OPTIONS: --races=ignore --visible=all
// CFLAGS: -fno-builtin
#define CALL strlen(text)
#define CHANGE text[2] = 0
#define FOUND result == 2
#include "explored_call.h"
