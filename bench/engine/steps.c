// Two threads that make STEPS atomic steps between them: what one more step costs.
#include <pthread.h>
#include <stdatomic.h>

#ifndef STEPS
#define STEPS 10
#endif

static atomic_int counter;

static void* worker(void* arg) {
  for (int i = 0; i < STEPS / 2; i++) atomic_fetch_add(&counter, 1);
  return arg;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, worker, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
