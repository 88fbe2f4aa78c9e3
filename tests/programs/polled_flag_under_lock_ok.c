// A flag polled under a lock: endlessly many executions, few states.
// EXPECT: verified
// OPTIONS: --algorithm=dl-spor
// ONLY: rollback
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void* poll(void* unused) {
  for (int seen = 0; !seen;) {
    pthread_mutex_lock(&mutex);
    seen = ready;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, poll, 0);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
}
