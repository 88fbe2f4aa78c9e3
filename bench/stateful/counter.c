// Three threads increment a counter three times each, by a load and a store.
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 3
#endif
#ifndef TIMES
#define TIMES 3
#endif

static atomic_int x;

static void *increments(void *unused) {
  for (int i = 0; i < TIMES; ++i) {
    int seen = atomic_load(&x);
    atomic_store(&x, seen + 1);
  }
  return unused;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int t = 0; t < THREADS; ++t) pthread_create(&threads[t], 0, increments, 0);
  for (int t = 0; t < THREADS; ++t) pthread_join(threads[t], 0);
}
