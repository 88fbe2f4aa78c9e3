// Nobody signals: the timed wait times out, and it is no deadlock.
// EXPECT: verified
#include <assert.h>
#include <errno.h>
#include <pthread.h>

#include "deadline.h"

int main(void) {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
  struct timespec when = deadline(CLOCK_REALTIME, 1);
  pthread_mutex_lock(&lock);
  assert(pthread_cond_timedwait(&cond, &lock, &when) == ETIMEDOUT);
  pthread_mutex_unlock(&lock);
  return 0;
}
