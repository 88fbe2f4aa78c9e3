// The opposite orders, but a third lock is around both: no deadlock, and a tool that only looks at lock orders would be wrong.
// EXPECT: verified
#include <pthread.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER, a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t* first, pthread_mutex_t* second) {
  pthread_mutex_lock(&gate);
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
  pthread_mutex_unlock(&gate);
}

static void* ab(void* unused) {
  both(&a, &b);
  return unused;
}

static void* ba(void* unused) {
  both(&b, &a);
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
