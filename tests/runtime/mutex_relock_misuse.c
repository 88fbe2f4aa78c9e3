// A normal mutex locked again by its holder.
// EXPECT: bug lock-misuse|deadlock
// LOCATION: HERE
#include <pthread.h>

int main(void) {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  pthread_mutex_lock(&lock);  // HERE
  return 0;
}
