// Eleven threads without a collision: one execution is enough.
// EXPECT: verified
// EXECUTIONS: optimal=1 dpor=1
#define N 11
#include "indexer.h"
