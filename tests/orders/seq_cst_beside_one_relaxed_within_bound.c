// Only y has a weak race. On a real machine y may be read as 1 and x as 0 all the same.
// EXPECT: within-bound
// ASSUMES: memory orders .*\(relaxed\)
#include "two_threads.h"

static atomic_int x, y;

static void* left(void* unused) {
  STORE(x, 1, seq_cst);
  STORE(y, 1, relaxed);
  return unused;
}
static void* right(void* unused) {
  (void)LOAD(y, relaxed);
  (void)LOAD(x, seq_cst);
  return unused;
}

int main(void) {
  beside_each_other(left, right);
  return 0;
}
