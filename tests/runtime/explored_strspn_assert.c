// strspn reads what another thread has changed.
// EXPECT: bug assertion
// OPTIONS: --races=ignore --visible=all
// CFLAGS: -fno-builtin
#define CALL strspn(text, "hed")
#define CHANGE text[2] = 'x'
#define FOUND result == 2
#include "explored_call.h"
