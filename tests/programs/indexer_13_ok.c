// Thirteen threads.
// EXPECT: verified
// EXECUTIONS: optimal=64
#define N 13
#include "indexer.h"
