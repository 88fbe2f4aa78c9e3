// A read-write lock unlocked that nobody holds.
// EXPECT: bug lock-misuse
// LOCATION: HERE
#include <pthread.h>

int main(void) {
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  pthread_rwlock_unlock(&lock);  // HERE
  return 0;
}
