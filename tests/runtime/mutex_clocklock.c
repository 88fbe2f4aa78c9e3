// clocklock is timedlock with a clock of one's choice.
// EXPECT: verified
// ORACLE: native the ThreadSanitizer of this compiler does not know pthread_mutex_clocklock
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>

#include "deadline.h"
#include "together.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void* work(void* unused) {
  struct timespec when = deadline(CLOCK_MONOTONIC, 1);
  int result = pthread_mutex_clocklock(&lock, CLOCK_MONOTONIC, &when);
  assert(result == 0 || result == ETIMEDOUT);
  if (result == 0) {
    total++;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  together(work, work);
  assert(total == 1 || total == 2);
  return 0;
}
