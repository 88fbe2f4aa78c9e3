// One slot, so that producers wait too: 64 ways (56 first in, first out).
// EXPECT: verified
// EXECUTIONS: optimal=64
#define SLOTS 1
#include "bounded_buffer_2_2.h"
