// A mutex released by a thread that does not hold it.
// EXPECT: bug lock-misuse
// LOCATION: HERE
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* wrong(void* unused) {
  pthread_mutex_unlock(&lock);  // HERE
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&lock);
  pthread_create(&t, 0, wrong, 0);
  pthread_join(t, 0);
  return 0;
}
