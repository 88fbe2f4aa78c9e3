// Two threads go over the same array: a run has nearly 100,000 steps, and half as many races that lie far apart.
#include <pthread.h>
#include <stdatomic.h>

#define N 49900

static atomic_int cells[N];

static void* add(void* unused) {
  for (int i = 0; i < N; i++) atomic_fetch_add(&cells[i], 1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
