// The holder never releases: timedlock must time out, and it is no deadlock.
// EXPECT: verified
#include <assert.h>
#include <errno.h>
#include <pthread.h>

#include "deadline.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* unused) {
  struct timespec when = deadline(CLOCK_REALTIME, 1);
  assert(pthread_mutex_timedlock(&lock, &when) == ETIMEDOUT);
  struct timespec after = deadline(CLOCK_REALTIME, 0);
  assert(after.tv_sec > when.tv_sec || (after.tv_sec == when.tv_sec && after.tv_nsec >= when.tv_nsec));
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&lock);
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  pthread_mutex_unlock(&lock);
  return 0;
}
