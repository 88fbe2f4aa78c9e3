// Sixteen threads, three pairs that meet.
// EXPECT: verified
// EXECUTIONS: optimal=8
#define N 16
#include "fsbench.h"
