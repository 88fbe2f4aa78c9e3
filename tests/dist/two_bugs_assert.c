// 5040 traces with two different failed assertions among them, one early and one late in the search.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { kThreads = 7 };
static atomic_int x;

static void* write_it(void* value) {
  atomic_store(&x, (int)(long)value);
  return 0;
}

int main(void) {
  pthread_t threads[kThreads];
  for (long i = 0; i < kThreads; ++i) pthread_create(&threads[i], 0, write_it, (void*)i);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], 0);
  const int last = atomic_load(&x);
  assert(last != 5);
  assert(last != 0);
}
