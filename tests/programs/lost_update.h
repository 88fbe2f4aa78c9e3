// Two increments made of an atomic load and an atomic store: no data race, but one increment can be lost.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void* increment(void* unused) {
  (void)unused;
  atomic_store(&x, atomic_load(&x) + 1);
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
