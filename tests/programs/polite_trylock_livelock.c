// Two threads that give their lock back when they cannot have the other one can do so for ever.
// EXPECT: bug livelock
// OPTIONS: --algorithm=spor
// ONLY: rollback
// MESSAGE: 2 threads can repeat
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t* first, pthread_mutex_t* second) {
  for (;;) {
    pthread_mutex_lock(first);
    if (pthread_mutex_trylock(second) == 0) break;
    pthread_mutex_unlock(first);
  }
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

static void* other(void* unused) {
  both(&b, &a);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  both(&a, &b);
  pthread_join(thread, 0);
}
