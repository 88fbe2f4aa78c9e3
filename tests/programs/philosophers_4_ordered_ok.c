// 4 philosophers who take the lower fork first: no deadlock, and all 14 orders of meals are explored.
// EXPECT: verified
// EXECUTIONS: optimal=14
#define N 4
#include "philosophers.h"
