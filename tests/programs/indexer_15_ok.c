// Fifteen threads.
// EXPECT: verified
// EXECUTIONS: optimal=4096
#define N 15
#include "indexer.h"
