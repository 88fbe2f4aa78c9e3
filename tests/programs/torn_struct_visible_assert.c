// torn_copy.h: every access is a scheduling point.
// EXPECT: bug assertion|data-race
// OPTIONS: --visible=all --races=ignore
// MESSAGE: assertion
#define WORDS 4
#define COPY(to, from) to = from
#include "torn_copy.h"
