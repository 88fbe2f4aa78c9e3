// T threads lock and unlock one mutex: T! orders.
// EXPECT: verified
// EXECUTIONS: optimal=24 source=24
#include <pthread.h>

enum { T = 4 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t t[T];
  for (int i = 0; i < T; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < T; i++) pthread_join(t[i], 0);
  return 0;
}
