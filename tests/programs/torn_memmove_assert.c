// torn_copy.h: a library function.
// EXPECT: bug assertion|data-race
// OPTIONS: --races=explore --stop-at all
// MESSAGE: assertion
#define WORDS 8
#define COPY(to, from) memmove(&to, &from, sizeof to)
#include "torn_copy.h"
