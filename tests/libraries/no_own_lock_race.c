// A library without atomic instructions orders nothing.
// EXPECT: bug data-race
// LIBRARY: -O1
#include <pthread.h>
int twice(int n);
#ifdef LIBRARY
int twice(int n) { return 2 * n; }
#else
static int counter;
static void* add(void* unused) {
  twice(1);
  counter += twice(1);
  twice(2);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  add(0);
  pthread_join(t, 0);
  return counter > 4;
}
#endif
