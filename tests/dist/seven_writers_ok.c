// Seven threads write one atomic: 7! = 5040 traces, enough for workers to be killed on the way.
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
}
