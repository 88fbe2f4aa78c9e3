// Three failures, each behind an order of the threads that comes late in a search. How far they have to get is read from standard input.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;

static void* increments(void* unused) {
  for (int i = 0; i < 3; ++i) {
    int seen = atomic_load(&x);
    atomic_store(&x, seen + 1);
  }
  return unused;
}

int main(void) {
  int least = 0;
  if (scanf("%d", &least) != 1) return 0;
  pthread_t threads[3];
  for (int t = 0; t < 3; ++t) pthread_create(&threads[t], 0, increments, 0);
  for (int t = 0; t < 3; ++t) pthread_join(threads[t], 0);
  int end = atomic_load(&x);
  if (end == least) assert(!"everybody was overwritten");
  if (end == least + 1) assert(!"all but one");
  if (end == least + 2) assert(!"all but two");
}
