// timedlock either takes the mutex or says ETIMEDOUT; a free mutex is taken even when the time is over.
// EXPECT: verified
#include <assert.h>
#include <errno.h>

#include "deadline.h"
#include "together.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void* work(void* unused) {
  struct timespec when = deadline(CLOCK_REALTIME, 1);
  int result = pthread_mutex_timedlock(&lock, &when);
  assert(result == 0 || result == ETIMEDOUT);
  if (result == 0) {
    total++;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  struct timespec past = deadline(CLOCK_REALTIME, -1);
  assert(pthread_mutex_timedlock(&lock, &past) == 0);
  pthread_mutex_unlock(&lock);
  together(work, work);
  assert(total == 1 || total == 2);
  return 0;
}
