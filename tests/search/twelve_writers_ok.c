// Twelve threads write one atomic: 12! traces, more than any limit of these tests allows.
#include <pthread.h>
#include <stdatomic.h>

#ifndef WRITERS
#define WRITERS 12
#endif

enum { kThreads = WRITERS };
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
