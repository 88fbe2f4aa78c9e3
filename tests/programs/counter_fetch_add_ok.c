// The same counter with an atomic read-modify-write loses nothing.
// EXPECT: verified
// EXECUTIONS: optimal=6
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void* increment(void* unused) {
  (void)unused;
  atomic_fetch_add(&x, 1);
  return 0;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, increment, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(x == 3);
  return 0;
}
