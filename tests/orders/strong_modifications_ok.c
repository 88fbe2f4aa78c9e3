// Read-modify-writes that acquire and release do no harm, at however many locations and beside seq_cst ones.
// EXPECT: verified
#include "two_threads.h"

static atomic_int a, b, x;

static void* left(void* unused) {
  ADD(a, 1, acq_rel);
  ADD(b, 1, seq_cst);
  STORE(x, 1, seq_cst);
  return unused;
}
static void* right(void* unused) {
  ADD(b, 1, acq_rel);
  ADD(a, 1, acq_rel);
  (void)LOAD(x, seq_cst);
  return unused;
}

int main(void) {
  beside_each_other(left, right);
  return 0;
}
