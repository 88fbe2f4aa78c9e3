// The same wait without a loop is right as long as nobody asks for spurious wake-ups.
// EXPECT: verified
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int flag;

static void* waiter(void* unused) {
  pthread_mutex_lock(&lock);
  if (!flag) pthread_cond_wait(&ready, &lock);
  assert(flag);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waiter, 0);
  pthread_mutex_lock(&lock);
  flag = 1;
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&lock);
  pthread_join(t, 0);
  return 0;
}
