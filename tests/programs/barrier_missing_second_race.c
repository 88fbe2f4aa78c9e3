// The second phase reads what a neighbour writes in the same phase: a barrier is missing.
// EXPECT: bug data-race
#include <pthread.h>

static pthread_barrier_t barrier;
static int value[2] = {1, 2};

static void* work(void* argument) {
  int i = (int)(long)argument;
  pthread_barrier_wait(&barrier);
  value[i] += value[1 - i];
  return 0;
}

int main(void) {
  pthread_t t[2];
  pthread_barrier_init(&barrier, 0, 2);
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, work, (void*)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
