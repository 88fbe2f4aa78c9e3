// Found with two after everything with fewer has been explored.
// EXPECT: bug assertion
// OPTIONS: --preemptions=auto
#include "torn_reads.h"
