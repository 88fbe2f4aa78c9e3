// Trying: readers get in among readers, nobody gets in beside a writer.
// EXPECT: verified
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void* while_read(void* unused) {
  assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
  assert(pthread_rwlock_tryrdlock(&lock) == 0);
  pthread_rwlock_unlock(&lock);
  return unused;
}

static void* while_written(void* unused) {
  assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
  assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
  return unused;
}

static void run(void* (*function)(void*)) {
  pthread_t t;
  pthread_create(&t, 0, function, 0);
  pthread_join(t, 0);
}

int main(void) {
  pthread_rwlock_rdlock(&lock);
  run(while_read);
  pthread_rwlock_unlock(&lock);
  assert(pthread_rwlock_trywrlock(&lock) == 0);
  run(while_written);
  pthread_rwlock_unlock(&lock);
  return 0;
}
