// Twenty-six threads, thirteen pairs that meet.
// ONLY: rollback
// EXPECT: verified
// EXECUTIONS: optimal=8192
#define N 26
#include "fsbench.h"
