// A thread that writes while it holds the lock for reading only.
// EXPECT: bug data-race
// LOCATION: HERE
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int hits;

static void* reader(void* unused) {
  pthread_rwlock_rdlock(&lock);
  hits++;  // HERE
  pthread_rwlock_unlock(&lock);
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
