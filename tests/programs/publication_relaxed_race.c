// Data is written, then a flag set with a relaxed store: whoever sees the flag may not read the data.
// EXPECT: bug data-race
// LOCATION: HERE
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void* publish(void* unused) {
  data = 42;
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return unused;
}

static void* consume(void* unused) {
  if (atomic_load_explicit(&ready, memory_order_acquire) && data != 42) return &data;  // HERE
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, publish, 0);
  pthread_create(&b, 0, consume, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
