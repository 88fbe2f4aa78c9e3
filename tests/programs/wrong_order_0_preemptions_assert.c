// A thread that relies on another having been started first, and so having run first. While main waits, either may be next: no preemption
// is needed.
// EXPECT: bug assertion
// OPTIONS: --preemptions=0 --algorithm=source
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static void* prepare(void* unused) {
  atomic_store(&ready, 1);
  return unused;
}

static void* use(void* unused) {
  assert(atomic_load(&ready));
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, prepare, 0);
  pthread_create(&b, 0, use, 0);
  pthread_join(b, 0);
  pthread_join(a, 0);
  return 0;
}
