// Two readers that both want to become the writer wait for each other.
// EXPECT: bug deadlock
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t upgrade = PTHREAD_MUTEX_INITIALIZER;

static void* reader(void* unused) {
  pthread_rwlock_rdlock(&lock);
  pthread_mutex_lock(&upgrade);  // stands for the upgrade: held until the other reader is gone
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_wrlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_mutex_unlock(&upgrade);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
