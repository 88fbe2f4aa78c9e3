// A library's lock orders two threads, and a mutex of the program the second with a third.
// EXPECT: unknown
// UNCOVERED: library is not instrumented
// UNKNOWN: ordered by .*own_lock.*\.so
// LIBRARY: -O1
#include "own_lock.h"
#ifndef LIBRARY
int x, y, z;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void* first(void* unused) {
  own_lock();
  x = 1;
  y = 1;
  own_unlock();
  return unused;
}
static void* second(void* unused) {
  own_lock();
  int seen = y;
  own_unlock();
  pthread_mutex_lock(&mutex);
  z = seen;
  pthread_mutex_unlock(&mutex);
  return unused;
}
int main(void) {
  pthread_t third;
  start(first);
  pthread_create(&third, 0, second, 0);
  pthread_mutex_lock(&mutex);
  int seen = z;
  pthread_mutex_unlock(&mutex);
  if (seen) x = 2;
  pthread_join(third, 0);
  return finish();
}
#endif
