// pthread_clockjoin_np joins, or says that the time is over.
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
  struct timespec when = deadline(CLOCK_MONOTONIC, 1);
  int result = pthread_clockjoin_np(t, 0, CLOCK_MONOTONIC, &when);
  assert(result == 0 || result == ETIMEDOUT);
  if (result != 0) assert(pthread_join(t, 0) == 0);
  assert(done == 1);
  return 0;
}
