// 3 philosophers who take the lower fork first: no deadlock, and all 6 orders of meals are explored.
// EXPECT: verified
// EXECUTIONS: optimal=6
#define N 3
#include "philosophers.h"
