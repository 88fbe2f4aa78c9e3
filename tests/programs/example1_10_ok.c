// Two and five critical sections: 7!/(2!5!) orders.
// EXPECT: verified
// EXECUTIONS: optimal=21
#define N 10
#include "example1.h"
