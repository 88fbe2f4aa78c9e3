// Two locks in opposite order.
// EXPECT: bug deadlock
// LOCATION: HERE
// LOCATION: THERE
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void* ab(void* unused) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);  // HERE
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return unused;
}

static void* ba(void* unused) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);  // THERE
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return unused;
}

int main(void) {
  pthread_t x, y;
  pthread_create(&x, 0, ab, 0);
  pthread_create(&y, 0, ba, 0);
  pthread_join(x, 0);
  pthread_join(y, 0);
  return 0;
}
