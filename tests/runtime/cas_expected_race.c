// The operand that an exchange compares with is a variable as any other: another thread writes it meanwhile.
// EXPECT: bug data-race
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value;
static int expected;

static void* exchange(void* unused) {
  atomic_compare_exchange_strong(&value, &expected, 1);
  return unused;
}

static void* change(void* unused) {
  expected = 7;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, exchange, 0);
  pthread_create(&b, 0, change, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
