// The library's lock functions guard each step of what should be one section.
// EXPECT: bug assertion
// LIBRARY: -O2
#include <assert.h>

#include "lib_mutex.h"
#ifndef LIBRARY
static int counter;
static void* add(void* unused) {
  lib_lock();
  int seen = counter;
  lib_unlock();
  lib_lock();
  counter = seen + 1;
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
