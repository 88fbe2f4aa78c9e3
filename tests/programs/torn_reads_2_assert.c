// Two preemptions are.
// EXPECT: bug assertion
// OPTIONS: --preemptions=2
#include "torn_reads.h"
