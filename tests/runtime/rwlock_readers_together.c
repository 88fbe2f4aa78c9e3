// Two readers are inside at the same time: a barrier between them does not deadlock.
// EXPECT: verified
#include <assert.h>

#include "together.h"

static pthread_rwlock_t lock;
static pthread_barrier_t both_inside;

static void* reader(void* unused) {
  assert(pthread_rwlock_rdlock(&lock) == 0);
  pthread_barrier_wait(&both_inside);
  assert(pthread_rwlock_unlock(&lock) == 0);
  return unused;
}

int main(void) {
  assert(pthread_rwlock_init(&lock, 0) == 0);
  pthread_barrier_init(&both_inside, 0, 2);
  together(reader, reader);
  assert(pthread_rwlock_destroy(&lock) == 0);
  return 0;
}
