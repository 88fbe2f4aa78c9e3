// Waiting with a mutex that is not held.
// EXPECT: bug lock-misuse
// LOCATION: HERE
#include <pthread.h>

int main(void) {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
  pthread_cond_wait(&cond, &lock);  // HERE
  return 0;
}
