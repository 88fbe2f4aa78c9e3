// A divisor that is zero in one order.
// EXPECT: bug crash
// MESSAGE: SIGFPE
#include <pthread.h>
#include <stdatomic.h>

static atomic_int divisor = 1;

static void* clear(void* unused) {
  atomic_store(&divisor, 0);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, clear, 0);
  volatile int by = atomic_load(&divisor);
  volatile int result = 10 / by;
  (void)result;
  pthread_join(t, 0);
  return 0;
}
