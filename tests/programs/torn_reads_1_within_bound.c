// One preemption is not enough.
// EXPECT: within-bound
// OPTIONS: --preemptions=1
#include "torn_reads.h"
