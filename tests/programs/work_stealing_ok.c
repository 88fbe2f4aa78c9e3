// Whoever moves the top has the last task.
// EXPECT: verified
#include "work_stealing.h"

static int take_last(long t) { return atomic_compare_exchange_strong(&top, &t, t + 1); }
