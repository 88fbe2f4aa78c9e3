// Robust mutexes are not modelled: said clearly.
// EXPECT: unsupported
// MESSAGE: (?i)robust
#include <pthread.h>

int main(void) {
  pthread_mutexattr_t attr;
  pthread_mutex_t lock;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&lock, &attr);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return 0;
}
