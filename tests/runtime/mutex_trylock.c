// trylock takes a free mutex and says EBUSY to a taken one, its own holder included.
// EXPECT: verified
#include <assert.h>
#include <errno.h>

#include "together.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void* work(void* unused) {
  int result = pthread_mutex_trylock(&lock);
  if (result == 0) {
    assert(pthread_mutex_trylock(&lock) == EBUSY);
    total++;
    pthread_mutex_unlock(&lock);
  } else {
    assert(result == EBUSY);
  }
  return unused;
}

int main(void) {
  together(work, work);
  assert(total == 1 || total == 2);
  return 0;
}
