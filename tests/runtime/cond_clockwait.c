// clockwait is timedwait with a clock of one's choice.
// EXPECT: verified
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

#include "deadline.h"

int main(void) {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
  struct timespec when = deadline(CLOCK_MONOTONIC, 1);
  pthread_mutex_lock(&lock);
  assert(pthread_cond_clockwait(&cond, &lock, CLOCK_MONOTONIC, &when) == ETIMEDOUT);
  assert(deadline(CLOCK_MONOTONIC, 0).tv_sec >= when.tv_sec);
  pthread_mutex_unlock(&lock);
  return 0;
}
