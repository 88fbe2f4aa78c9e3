// A mutex unlocked by another thread than its holder.
// EXPECT: bug lock-misuse
// LOCATION: HERE
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* unused) {
  pthread_mutex_unlock(&lock);  // HERE
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&lock);
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  return 0;
}
