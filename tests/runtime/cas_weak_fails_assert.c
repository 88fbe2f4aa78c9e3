// A weak compare-exchange may fail for no reason, when that is asked for. (The instrumentation of clang does not say
// which exchanges are weak.)
// EXPECT: bug assertion
// ONLY: gcc
// OPTIONS: --weak-cas-fails
#include <assert.h>
#include <stdatomic.h>

int main(void) {
  atomic_int x = 0;
  int expected = 0;
  assert(atomic_compare_exchange_weak(&x, &expected, 1));
  return 0;
}
