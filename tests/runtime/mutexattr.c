// Attributes of mutexes keep what is set.
// EXPECT: verified
#include <assert.h>
#include <pthread.h>

int main(void) {
  pthread_mutexattr_t attr;
  int value;
  assert(pthread_mutexattr_init(&attr) == 0);
  assert(pthread_mutexattr_gettype(&attr, &value) == 0 && value == PTHREAD_MUTEX_DEFAULT);
  assert(pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE) == 0);
  assert(pthread_mutexattr_gettype(&attr, &value) == 0 && value == PTHREAD_MUTEX_RECURSIVE);
  assert(pthread_mutexattr_getpshared(&attr, &value) == 0 && value == PTHREAD_PROCESS_PRIVATE);
  assert(pthread_mutexattr_destroy(&attr) == 0);
  return 0;
}
