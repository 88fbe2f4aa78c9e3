// Two different bugs in one program: --stop-at all finds both.
// EXPECT: bug assertion
// OPTIONS: --stop-at=all
// LOCATION: HERE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void* work(void* unused) {
  atomic_store(&x, 1);
  atomic_store(&x, 2);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  int seen = atomic_load(&x);
  assert(seen != 1);
  assert(seen != 2);  // HERE
  pthread_join(t, 0);
  return 0;
}
