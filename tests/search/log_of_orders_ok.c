// Every order of the threads leaves another log behind: no two executions come to the same state.
#include <pthread.h>

#ifndef TIMES
#define TIMES 4
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned long log_of_threads;

static void* writes(void* id) {
  for (int i = 0; i < TIMES; ++i) {
    pthread_mutex_lock(&mutex);
    log_of_threads = 4 * log_of_threads + (unsigned long)id;
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}

int main(void) {
  pthread_t threads[3];
  for (long t = 0; t < 3; ++t) pthread_create(&threads[t], 0, writes, (void*)(t + 1));
  for (int t = 0; t < 3; ++t) pthread_join(threads[t], 0);
}
