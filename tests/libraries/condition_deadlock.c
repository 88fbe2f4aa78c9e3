// A library that waits without looking whether the signal has been already.
// EXPECT: bug deadlock
// LIBRARY: -O1
#define WAIT pthread_cond_wait(&filled, &mutex)
#include "lib_queue.h"
