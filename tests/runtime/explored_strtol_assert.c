// strtol reads what another thread has changed.
// EXPECT: bug assertion
// OPTIONS: --races=ignore --visible=all
// CFLAGS: -fno-builtin
#define CALL strtol(text, 0, 16)
#define CHANGE text[0] = '5'
#define FOUND result == 0x5edd
#include "explored_call.h"
