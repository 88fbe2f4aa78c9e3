// What is written before a library's put() is there after its take().
// EXPECT: within-bound
// UNCOVERED: library is not instrumented
// LIBRARY: -O1
#define WAIT while (!full) pthread_cond_wait(&filled, &mutex)
#include "lib_queue.h"
