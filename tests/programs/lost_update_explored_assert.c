// x++ in two threads, with the race itself not reported but explored: the lost update is reachable, so the read
// and the write of x++ must both be scheduling points, whatever the compiler.
// EXPECT: bug assertion
// OPTIONS: --races=ignore --visible=all
#include <assert.h>
#include <pthread.h>

static volatile int x;

static void* increment(void* unused) {
  (void)unused;
  x++;
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, increment, 0);
  pthread_create(&b, 0, increment, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
  return 0;
}
