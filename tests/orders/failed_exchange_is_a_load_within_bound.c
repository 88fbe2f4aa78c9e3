// A compare-exchange that fails is a load with the weaker order; one that succeeds is none.
// EXPECT: within-bound
#include "two_threads.h"

static atomic_int x = 5, y = 5;

static int exchange(atomic_int* at, int expected) {
  return atomic_compare_exchange_strong_explicit(at, &expected, 7, memory_order_acq_rel, memory_order_relaxed);
}
static void* left(void* unused) {
  exchange(&x, 5);
  exchange(&y, 0);
  return unused;
}
static void* right(void* unused) {
  exchange(&y, 5);
  exchange(&x, 0);
  return unused;
}

int main(void) {
  beside_each_other(left, right);
  return 0;
}
