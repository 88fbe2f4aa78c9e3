// torn_copy.h: the compiler's own copy.
// EXPECT: bug assertion|data-race
// OPTIONS: --races=explore --stop-at all
// MESSAGE: assertion
#define WORDS 8
#define COPY(to, from) to = from
#include "torn_copy.h"
