// torn_copy.h: the compiler's own copy, which may be a call.
// EXPECT: bug assertion|data-race
// OPTIONS: --races=explore --stop-at all
// MESSAGE: assertion
#define WORDS 100
#define COPY(to, from) to = from
#include "torn_copy.h"
