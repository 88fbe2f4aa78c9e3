// 10! traces, more than anybody waits for, and a bug in every one that ends with thread 3.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { kThreads = 10 };
static atomic_int x;

static void* write_it(void* value) {
  atomic_store(&x, (int)(long)value);
  return 0;
}

int main(void) {
  pthread_t threads[kThreads];
  for (long i = 0; i < kThreads; ++i) pthread_create(&threads[i], 0, write_it, (void*)i);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], 0);
  assert(atomic_load(&x) != 3);
}
