// pthread_tryjoin_np and pthread_timedjoin_np either join or say that the thread still runs.
// EXPECT: verified
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

#include "deadline.h"

static int done;

static void* work(void* unused) {
  done = 1;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  int result = pthread_tryjoin_np(t, 0);
  assert(result == 0 || result == EBUSY);
  if (result == EBUSY) {
    struct timespec when = deadline(CLOCK_REALTIME, 1);
    result = pthread_timedjoin_np(t, 0, &when);
    assert(result == 0 || result == ETIMEDOUT);
  }
  if (result != 0) assert(pthread_join(t, 0) == 0);
  assert(done == 1);
  return 0;
}
