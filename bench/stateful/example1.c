// 000 fig. 1, the assertion left out: two threads add to and subtract from one variable, each in a loop. N: the loops' bound.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 64
#endif

static atomic_int d;

static void *adds(void *unused) {
  for (int i = 0; i < N; i += 5) atomic_fetch_add(&d, i);
  return unused;
}

static void *subtracts(void *unused) {
  for (int j = 0; j < N; j += 2) atomic_fetch_sub(&d, j);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, adds, 0);
  pthread_create(&two, 0, subtracts, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
}
