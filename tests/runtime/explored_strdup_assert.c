// strdup reads what another thread has changed.
// EXPECT: bug assertion
// OPTIONS: --races=ignore --visible=all
// CFLAGS: -fno-builtin
#define CALL strdup(text)[1]
#define CHANGE text[1] = 'x'
#define FOUND result == 'x'
#include "explored_call.h"
