// A mutex unlocked that nobody holds.
// EXPECT: bug lock-misuse
// LOCATION: HERE
#include <pthread.h>

int main(void) {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_unlock(&lock);  // HERE
  return 0;
}
