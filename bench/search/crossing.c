// Two threads that write the same STEPS / 2 atomic variables in the same order: as many reversible races in every run.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int cells[STEPS / 2];

static void* writer(void* arg) {
  for (int i = 0; i < STEPS / 2; i++) atomic_store(&cells[i], 1);
  return arg;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, writer, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
