// memmem reads what another thread has changed.
// EXPECT: bug assertion
// OPTIONS: --races=ignore --visible=all
// CFLAGS: -fno-builtin
#define CALL (char*)memmem(text, 6, "xx", 2) - text
#define CHANGE (text[2] = 'x', text[3] = 'x')
#define FOUND result == 2
#include "explored_call.h"
