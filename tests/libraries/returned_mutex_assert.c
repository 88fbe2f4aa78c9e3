// Who locks the library's mutex first decides what is seen under it.
// EXPECT: bug assertion
// LIBRARY: -O1
// LOCATION: HERE
#include <assert.h>

#include "lib_mutex.h"
#ifndef LIBRARY
static int x;
static void* set(void* unused) {
  pthread_mutex_lock(lib_mutex());
  x = 1;
  pthread_mutex_unlock(lib_mutex());
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  pthread_mutex_lock(lib_mutex());
  int seen = x;
  pthread_mutex_unlock(lib_mutex());
  pthread_join(t, 0);
  assert(seen == 1);  // HERE
  return 0;
}
#endif
