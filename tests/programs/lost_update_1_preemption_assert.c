// One preemption loses an increment.
// EXPECT: bug assertion
// OPTIONS: --preemptions 1 --algorithm=dpor
#include "lost_update.h"
