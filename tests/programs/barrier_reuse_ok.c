// Two phases with one barrier: after each, everybody sees what all wrote in it.
// EXPECT: verified
#include <assert.h>
#include <pthread.h>

enum { kThreads = 2 };
static pthread_barrier_t barrier;
static int first[kThreads], second[kThreads];

static void* work(void* argument) {
  int i = (int)(long)argument;
  first[i] = i + 1;
  pthread_barrier_wait(&barrier);
  second[i] = first[0] + first[1];
  pthread_barrier_wait(&barrier);
  assert(second[0] == 3 && second[1] == 3);
  return 0;
}

int main(void) {
  pthread_t t[kThreads];
  pthread_barrier_init(&barrier, 0, kThreads);
  for (long i = 0; i < kThreads; i++) pthread_create(&t[i], 0, work, (void*)i);
  for (int i = 0; i < kThreads; i++) pthread_join(t[i], 0);
  pthread_barrier_destroy(&barrier);
  return 0;
}
