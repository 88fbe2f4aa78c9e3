// The fences forbid that both loads read 0, but the search does not know that these are all executions.
// EXPECT: within-bound
#include <assert.h>

#include "two_threads.h"

static atomic_int x, y;
static int r1, r2;

static void* left(void* unused) {
  STORE(x, 1, relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  r1 = LOAD(y, relaxed);
  return unused;
}
static void* right(void* unused) {
  STORE(y, 1, relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  r2 = LOAD(x, relaxed);
  return unused;
}

int main(void) {
  beside_each_other(left, right);
  assert(r1 || r2);
  return 0;
}
