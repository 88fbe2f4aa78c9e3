// A thread that waits for something its joiner would have to do.
// EXPECT: bug deadlock
// LOCATION: HERE
// LOCATION: THERE
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* unused) {
  pthread_mutex_lock(&lock);  // HERE
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&lock);
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);  // THERE
  pthread_mutex_unlock(&lock);
  return 0;
}
