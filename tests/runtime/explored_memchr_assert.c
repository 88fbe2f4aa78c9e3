// memchr reads what another thread has changed.
// EXPECT: bug assertion
// OPTIONS: --races=ignore --visible=all
// CFLAGS: -fno-builtin
#define CALL (char*)memchr(text, 'x', 6) - text
#define CHANGE text[3] = 'x'
#define FOUND result == 3
#include "explored_call.h"
