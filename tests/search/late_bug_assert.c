// A bug that needs the thread created last to go first, in front of six writers whose millions of orders a depth-first search goes through
// before. Random runs show it every few times.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { kWriters = 6 };
static atomic_int x, ready;

static void* get_ready(void* unused) {
  atomic_store(&ready, 1);
  atomic_store(&x, 100);
  return unused;
}

static void* write_twice(void* value) {
  atomic_store(&x, (int)(long)value);
  atomic_store(&x, 10 + (int)(long)value);
  return 0;
}

static void* must_be_ready(void* unused) {
  assert(atomic_load(&ready));
  return unused;
}

int main(void) {
  pthread_t threads[kWriters + 2];
  pthread_create(&threads[0], 0, get_ready, 0);
  for (long i = 1; i <= kWriters; ++i) pthread_create(&threads[i], 0, write_twice, (void*)i);
  pthread_create(&threads[kWriters + 1], 0, must_be_ready, 0);
  for (int i = 0; i < kWriters + 2; ++i) pthread_join(threads[i], 0);
}
