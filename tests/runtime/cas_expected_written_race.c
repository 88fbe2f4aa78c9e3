// An exchange that fails writes its operand, beside a read of it.
// EXPECT: bug data-race
#include <pthread.h>
#include <stdatomic.h>

static _Atomic long value = 1;
static long expected;
static volatile long seen;

static void* exchange(void* unused) {
  atomic_compare_exchange_weak(&value, &expected, 2);
  return unused;
}

static void* look(void* unused) {
  seen = expected;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, exchange, 0);
  pthread_create(&b, 0, look, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
