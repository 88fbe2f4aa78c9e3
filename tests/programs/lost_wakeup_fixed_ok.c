// With the flag set under the lock the signal cannot be lost.
// EXPECT: verified
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int flag;

static void* waiter(void* unused) {
  pthread_mutex_lock(&lock);
  while (!flag) pthread_cond_wait(&ready, &lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waiter, 0);
  pthread_mutex_lock(&lock);
  flag = 1;
  pthread_mutex_unlock(&lock);
  pthread_cond_signal(&ready);
  pthread_join(t, 0);
  return 0;
}
