// Waits until a point in time that has passed, again and again: it may time out any number of times, but there are few states. A time-out tells
// that nobody has posted yet and orders nothing, so that no search over states says `verified`.
// EXPECT: within-bound
// ONLY: rollback
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t ready;

static void* posts(void* unused) {
  sem_post(&ready);
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&ready, 0, 0);
  pthread_create(&thread, 0, posts, 0);
  const struct timespec long_ago = {1, 0};
  while (sem_timedwait(&ready, &long_ago) != 0) {
  }
  pthread_join(thread, 0);
}
