// Eight threads write one atomic: 8! = 40320 traces, long enough to be interrupted again and again.
#include <pthread.h>
#include <stdatomic.h>

enum { kThreads = 8 };
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
