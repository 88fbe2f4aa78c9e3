// States repeat, but relaxed operations order nothing: what they let others know is no part of a state, and races may rest on it.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void* increments(void* unused) {
  for (int i = 0; i < 2; ++i) {
    int seen = atomic_load_explicit(&x, memory_order_relaxed);
    atomic_store_explicit(&x, seen + 1, memory_order_relaxed);
  }
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int t = 0; t < 3; ++t) pthread_create(&threads[t], 0, increments, 0);
  for (int t = 0; t < 3; ++t) pthread_join(threads[t], 0);
}
