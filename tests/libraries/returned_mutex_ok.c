// A counter under a mutex that lies in a library.
// EXPECT: within-bound
// UNCOVERED: library is not instrumented
// EXECUTIONS: optimal=2
// LIBRARY: -O1
#include <assert.h>

#include "lib_mutex.h"
#ifndef LIBRARY
static int counter;
static void* add(void* unused) {
  pthread_mutex_lock(lib_mutex());
  ++counter;
  pthread_mutex_unlock(lib_mutex());
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
