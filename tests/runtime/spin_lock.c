// Spinlocks exclude and order like mutexes.
// EXPECT: verified
#include <assert.h>

#include "together.h"

static pthread_spinlock_t lock;
static int total;

static void* work(void* unused) {
  assert(pthread_spin_lock(&lock) == 0);
  total++;
  assert(pthread_spin_unlock(&lock) == 0);
  return unused;
}

int main(void) {
  assert(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE) == 0);
  together(work, work);
  assert(total == 2);
  assert(pthread_spin_destroy(&lock) == 0);
  return 0;
}
