// Store buffering under sequential consistency: not both can miss the other's store.
// EXPECT: verified
// EXECUTIONS: optimal=3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int seen_x, seen_y;

static void* p(void* unused) {
  atomic_store(&x, 1);
  seen_y = atomic_load(&y);
  return unused;
}

static void* q(void* unused) {
  atomic_store(&y, 1);
  seen_x = atomic_load(&x);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, p, 0);
  pthread_create(&b, 0, q, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(seen_x || seen_y);
  return 0;
}
