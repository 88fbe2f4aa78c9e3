// Neither accesses that are seq_cst nor counters alone have other executions; together they have.
// EXPECT: within-bound
// ASSUMES: memory orders .*read-modify-write \(relaxed\)
#include "two_threads.h"

static atomic_int x, c;

static void* left(void* unused) {
  STORE(x, 1, seq_cst);
  ADD(c, 1, relaxed);
  return unused;
}
static void* right(void* unused) {
  ADD(c, 1, relaxed);
  (void)LOAD(x, seq_cst);
  return unused;
}

int main(void) {
  beside_each_other(left, right);
  return 0;
}
