// 000 sec. 6: two threads in loops write elements of one shared array.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 48
#endif

static atomic_int array[N];

static void *writes(void *which) {
  for (int i = 0; i < N; ++i) atomic_store(&array[(i * 7 + (which ? 3 : 0)) % N], 1);
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, writes, 0);
  pthread_create(&two, 0, writes, (void *)1);
  pthread_join(one, 0);
  pthread_join(two, 0);
}
