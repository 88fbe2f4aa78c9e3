// A mutex may be destroyed and initialised again in the same place, with another type.
// EXPECT: verified
#include <assert.h>
#include <pthread.h>

int main(void) {
  pthread_mutex_t lock;
  pthread_mutexattr_t attr;
  pthread_mutex_init(&lock, 0);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  pthread_mutex_destroy(&lock);
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &attr);
  assert(pthread_mutex_lock(&lock) == 0 && pthread_mutex_lock(&lock) == 0);
  pthread_mutex_unlock(&lock);
  pthread_mutex_unlock(&lock);
  pthread_mutex_destroy(&lock);
  return 0;
}
