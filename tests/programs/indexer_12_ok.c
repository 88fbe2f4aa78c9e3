// Twelve threads.
// EXPECT: verified
// EXECUTIONS: optimal=8
#define N 12
#include "indexer.h"
