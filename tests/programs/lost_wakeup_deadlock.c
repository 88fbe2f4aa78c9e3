// The flag is set without the lock, between the waiter's check and its wait: the signal is lost.
// EXPECT: bug deadlock
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static atomic_int flag;

static void* waiter(void* unused) {
  pthread_mutex_lock(&lock);
  while (!atomic_load(&flag)) pthread_cond_wait(&ready, &lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waiter, 0);
  atomic_store(&flag, 1);
  pthread_cond_signal(&ready);
  pthread_join(t, 0);
  return 0;
}
