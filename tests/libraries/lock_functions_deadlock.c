// A library's lock and the program's own in opposite orders.
// EXPECT: bug deadlock
// LIBRARY: -O1
#include "lib_mutex.h"
#ifndef LIBRARY
static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
static void* other(void* unused) {
  pthread_mutex_lock(&own);
  lib_lock();
  lib_unlock();
  pthread_mutex_unlock(&own);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  lib_lock();
  pthread_mutex_lock(&own);
  pthread_mutex_unlock(&own);
  lib_unlock();
  pthread_join(t, 0);
  return 0;
}
#endif
