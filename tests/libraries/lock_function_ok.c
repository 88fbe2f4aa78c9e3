// A counter under a library's lock functions: one execution an order.
// EXPECT: within-bound
// UNCOVERED: library is not instrumented
// EXECUTIONS: optimal=2
// LIBRARY: -O2
#include <assert.h>

#include "lib_mutex.h"
#ifndef LIBRARY
static int counter;
static void* add(void* unused) {
  lib_lock();
  ++counter;
  lib_unlock();
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  add(0);
  pthread_join(t, 0);
  assert(counter == 2);
  return 0;
}
#endif
