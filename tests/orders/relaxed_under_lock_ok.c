// A lock orders all accesses; their own orders do not matter.
// EXPECT: verified
#include <assert.h>

#include "two_threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, y;

static void* both(void* unused) {
  pthread_mutex_lock(&lock);
  assert(LOAD(x, relaxed) == LOAD(y, relaxed));
  STORE(x, 1, relaxed);
  STORE(y, 1, relaxed);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  beside_each_other(both, both);
  return 0;
}
