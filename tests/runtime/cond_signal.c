// A signal wakes one waiter, who holds the mutex again when it goes on.
// EXPECT: verified
#include <assert.h>

#include "together.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond;
static int ready, inside;

static void* waiter(void* unused) {
  pthread_mutex_lock(&lock);
  while (!ready) assert(pthread_cond_wait(&cond, &lock) == 0);
  assert(++inside == 1);
  --inside;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void* signaller(void* unused) {
  pthread_mutex_lock(&lock);
  assert(++inside == 1);
  ready = 1;
  assert(pthread_cond_signal(&cond) == 0);
  --inside;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  assert(pthread_cond_init(&cond, 0) == 0);
  together(waiter, signaller);
  assert(pthread_cond_destroy(&cond) == 0);
  return 0;
}
