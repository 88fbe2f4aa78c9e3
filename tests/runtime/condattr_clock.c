// A condition variable on the monotonic clock times out by that clock.
// EXPECT: verified
#include <assert.h>
#include <errno.h>
#include <pthread.h>

#include "deadline.h"

int main(void) {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t cond;
  pthread_condattr_t attr;
  clockid_t clock;
  assert(pthread_condattr_init(&attr) == 0);
  assert(pthread_condattr_setclock(&attr, CLOCK_MONOTONIC) == 0);
  assert(pthread_condattr_getclock(&attr, &clock) == 0 && clock == CLOCK_MONOTONIC);
  assert(pthread_cond_init(&cond, &attr) == 0);
  assert(pthread_condattr_destroy(&attr) == 0);
  struct timespec when = deadline(CLOCK_MONOTONIC, 1);
  pthread_mutex_lock(&lock);
  assert(pthread_cond_timedwait(&cond, &lock, &when) == ETIMEDOUT);
  assert(deadline(CLOCK_MONOTONIC, 0).tv_sec >= when.tv_sec);
  pthread_mutex_unlock(&lock);
  assert(pthread_cond_destroy(&cond) == 0);
  return 0;
}
