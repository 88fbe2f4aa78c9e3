// A weak compare-exchange does not fail for no reason unless that is asked for; a strong one never does.
// EXPECT: verified
#include <assert.h>
#include <stdatomic.h>

int main(void) {
  atomic_int x = 0;
  int expected = 0;
  assert(atomic_compare_exchange_weak(&x, &expected, 1));
  expected = 1;
  assert(atomic_compare_exchange_strong(&x, &expected, 2));
  return 0;
}
