// A recursive mutex is free again only after as many unlocks as locks.
// EXPECT: verified
#include <assert.h>

#include "together.h"

static pthread_mutex_t lock;
static int inside;

static void* work(void* unused) {
  assert(pthread_mutex_lock(&lock) == 0);
  assert(++inside == 1);
  assert(pthread_mutex_lock(&lock) == 0);
  assert(pthread_mutex_unlock(&lock) == 0);
  assert(inside == 1);
  --inside;
  assert(pthread_mutex_unlock(&lock) == 0);
  return unused;
}

int main(void) {
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &attr);
  assert(pthread_mutex_trylock(&lock) == 0 && pthread_mutex_trylock(&lock) == 0);
  pthread_mutex_unlock(&lock);
  pthread_mutex_unlock(&lock);
  together(work, work);
  pthread_mutex_destroy(&lock);
  return 0;
}
