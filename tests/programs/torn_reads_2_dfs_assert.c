// Two preemptions are.
// EXPECT: bug assertion
// OPTIONS: --preemptions=2 --algorithm=dfs
#include "torn_reads.h"
