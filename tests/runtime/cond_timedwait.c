// A timed wait is woken or times out, holds the mutex either way, and the clock has moved on after a time-out.
// EXPECT: verified
#include <assert.h>
#include <errno.h>

#include "deadline.h"
#include "together.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready;

static void* waiter(void* unused) {
  struct timespec when = deadline(CLOCK_REALTIME, 1);
  int result = 0;
  pthread_mutex_lock(&lock);
  while (!ready && result == 0) result = pthread_cond_timedwait(&cond, &lock, &when);
  if (result != 0) {
    assert(result == ETIMEDOUT);
    assert(deadline(CLOCK_REALTIME, 0).tv_sec >= when.tv_sec);
  }
  pthread_mutex_unlock(&lock);
  return unused;
}

static void* signaller(void* unused) {
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_cond_signal(&cond);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  together(waiter, signaller);
  return 0;
}
