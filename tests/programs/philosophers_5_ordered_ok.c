// 5 philosophers who take the lower fork first: no deadlock, and all 30 orders of meals are explored.
// EXPECT: verified
// EXECUTIONS: optimal=30
#define N 5
#include "philosophers.h"
