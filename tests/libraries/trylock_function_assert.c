// A library's trylock fails while the other thread is inside.
// EXPECT: bug assertion
// LIBRARY: -O1
#include <assert.h>

#include "lib_mutex.h"
#ifndef LIBRARY
static void* pass(void* unused) {
  lib_lock();
  lib_unlock();
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, pass, 0);
  int taken = lib_try();
  if (taken) lib_unlock();
  pthread_join(t, 0);
  assert(taken);
  return 0;
}
#endif
