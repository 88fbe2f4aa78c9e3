// Two waiters queue up in a known order; one signal. That the one who came second is woken is allowed, and the only way to
// the assertion. Tools that wake first in, first out call this clean.
// EXPECT: bug assertion
// LOCATION: HERE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
static int waiting, tokens, first_waiter, only_one_signal;

static void* waiter(void* name) {
  int me = (int)(long)name;
  pthread_mutex_lock(&lock);
  if (waiting++ == 0) first_waiter = me;
  while (tokens == 0) pthread_cond_wait(&wake, &lock);
  tokens--;
  if (only_one_signal) assert(me == first_waiter);  // HERE
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, waiter, (void*)1L);
  pthread_create(&b, 0, waiter, (void*)2L);
  pthread_mutex_lock(&lock);
  if (waiting == 2) {
    tokens = 1;
    only_one_signal = 1;
    pthread_cond_signal(&wake);
  }
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  only_one_signal = 0;
  tokens += 2;
  pthread_cond_broadcast(&wake);
  pthread_mutex_unlock(&lock);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
