// A mutex destroyed while it is held.
// EXPECT: bug lock-misuse
// LOCATION: HERE
#include <pthread.h>

int main(void) {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  pthread_mutex_destroy(&lock);  // HERE
  return 0;
}
