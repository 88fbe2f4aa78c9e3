// 2 philosophers who take the lower fork first: no deadlock, and all 2 orders of meals are explored.
// EXPECT: verified
// EXECUTIONS: optimal=2
#define N 2
#include "philosophers.h"
