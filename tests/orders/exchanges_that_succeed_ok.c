// As failed_exchange_is_a_load_within_bound.c, but all of them are read-modify-writes.
// EXPECT: verified
#include "two_threads.h"

static atomic_int x, y;

static void exchange(atomic_int* at) {
  int expected = atomic_exchange_explicit(at, 1, memory_order_acq_rel);
  atomic_fetch_or_explicit(at, expected, memory_order_acq_rel);
}
static void* left(void* unused) {
  exchange(&x);
  exchange(&y);
  return unused;
}
static void* right(void* unused) {
  exchange(&y);
  exchange(&x);
  return unused;
}

int main(void) {
  beside_each_other(left, right);
  return 0;
}
