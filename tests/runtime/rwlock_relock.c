// The writer itself gets EDEADLK when it locks again.
// EXPECT: verified
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  pthread_rwlock_wrlock(&lock);
  assert(pthread_rwlock_wrlock(&lock) == EDEADLK);
  assert(pthread_rwlock_rdlock(&lock) == EDEADLK);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_rdlock(&lock);
  assert(pthread_rwlock_rdlock(&lock) == 0);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
  return 0;
}
