// One preemption is not enough, whichever interleaving it is.
// EXPECT: within-bound
// OPTIONS: --preemptions=1 --algorithm=dfs
#include "torn_reads.h"
