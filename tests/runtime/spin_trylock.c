// A taken spinlock says EBUSY.
// EXPECT: verified
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_spinlock_t lock;

static void* work(void* unused) {
  assert(pthread_spin_trylock(&lock) == EBUSY);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  assert(pthread_spin_trylock(&lock) == 0);
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  pthread_spin_unlock(&lock);
  return 0;
}
