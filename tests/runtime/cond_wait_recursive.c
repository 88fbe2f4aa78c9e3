// Waiting with a recursive mutex held once gives it up and takes it back.
// EXPECT: verified
#define _GNU_SOURCE
#include "together.h"

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready;

static void* waiter(void* unused) {
  pthread_mutex_lock(&lock);
  while (!ready) pthread_cond_wait(&cond, &lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

static void* signaller(void* unused) {
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_cond_signal(&cond);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  together(waiter, signaller);
  return 0;
}
