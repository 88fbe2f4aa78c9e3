// A normal mutex taken twice by one thread.
// EXPECT: bug lock-misuse|deadlock
// LOCATION: HERE
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void helper(void) {
  pthread_mutex_lock(&lock);  // HERE
  pthread_mutex_unlock(&lock);
}

int main(void) {
  pthread_mutex_lock(&lock);
  helper();
  pthread_mutex_unlock(&lock);
  return 0;
}
