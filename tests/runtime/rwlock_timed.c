// All timed ways to take a read-write lock time out beside a writer.
// EXPECT: verified
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

#include "deadline.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void* work(void* unused) {
  struct timespec when = deadline(CLOCK_REALTIME, 1);
  assert(pthread_rwlock_timedrdlock(&lock, &when) == ETIMEDOUT);
  assert(pthread_rwlock_timedwrlock(&lock, &when) == ETIMEDOUT);
  when = deadline(CLOCK_MONOTONIC, 1);
  assert(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &when) == ETIMEDOUT);
  assert(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &when) == ETIMEDOUT);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_rwlock_wrlock(&lock);
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  pthread_rwlock_unlock(&lock);
  struct timespec when = deadline(CLOCK_REALTIME, 1);
  assert(pthread_rwlock_timedrdlock(&lock, &when) == 0);
  pthread_rwlock_unlock(&lock);
  assert(pthread_rwlock_timedwrlock(&lock, &when) == 0);
  pthread_rwlock_unlock(&lock);
  return 0;
}
