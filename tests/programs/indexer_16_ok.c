// Sixteen threads.
// States repeat here, but storing them takes minutes: auto must not stay with that.
// ONLY: rollback
// EXPECT: verified
// EXECUTIONS: optimal=32768
#define N 16
#include "indexer.h"
