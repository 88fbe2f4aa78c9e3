// Unlocking a recursive mutex that one does not hold is defined: it answers EPERM.
// EXPECT: verified
// ORACLE: native ThreadSanitizer reports the unlock on purpose
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
  pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  assert(pthread_mutex_unlock(&lock) == EPERM);
  return 0;
}
