// Fourteen threads.
// EXPECT: verified
// EXECUTIONS: optimal=512
#define N 14
#include "indexer.h"
