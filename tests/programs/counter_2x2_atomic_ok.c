// Two threads, two unprotected increments each, as relaxed loads and stores. Every final value from 2 to 4 is right.
// EXPECT: verified
// EXECUTIONS: optimal=34
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void* count(void* unused) {
  (void)unused;
  for (int i = 0; i < 2; i++) {
    int seen = atomic_load_explicit(&x, memory_order_relaxed);
    atomic_store_explicit(&x, seen + 1, memory_order_relaxed);
  }
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, count, 0);
  pthread_create(&b, 0, count, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(2 <= x && x <= 4);
  return 0;
}
