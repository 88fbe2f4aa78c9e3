// Thirteen threads that never meet.
// EXPECT: verified
// EXECUTIONS: optimal=1
#define N 13
#include "fsbench.h"
