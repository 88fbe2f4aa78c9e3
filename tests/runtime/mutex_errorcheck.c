// An error-checking mutex answers misuse with a code instead of undefined behaviour.
// EXPECT: verified
// ORACLE: native ThreadSanitizer reports the unlock on purpose
#include <assert.h>
#include <errno.h>

#include "together.h"

static pthread_mutex_t lock;
static int total;

static void* work(void* unused) {
  assert(pthread_mutex_unlock(&lock) == EPERM);
  assert(pthread_mutex_lock(&lock) == 0);
  assert(pthread_mutex_lock(&lock) == EDEADLK);
  total++;
  assert(pthread_mutex_unlock(&lock) == 0);
  return unused;
}

int main(void) {
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&lock, &attr);
  together(work, work);
  assert(total == 2);
  return 0;
}
