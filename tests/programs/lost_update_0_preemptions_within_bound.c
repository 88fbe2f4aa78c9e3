// Threads that are never left before they end: no increment is lost.
// EXPECT: within-bound
// OPTIONS: --preemptions=0
#include "lost_update.h"
