// Two slots: critical sections can follow each other in 60 ways when a signal may wake any waiter (48 if wake-ups were
// first in, first out: tools that assume so miss the rest).
// EXPECT: verified
// EXECUTIONS: optimal=60
#define SLOTS 2
#include "bounded_buffer_2_2.h"
