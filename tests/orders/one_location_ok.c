// All kinds of pairs at one location: coherence makes it sequentially consistent.
// EXPECT: verified
#include <assert.h>

#include "two_threads.h"

static atomic_int x;

static void* left(void* unused) {
  STORE(x, 1, relaxed);
  ADD(x, 1, relaxed);
  STORE(x, 4, seq_cst);
  return unused;
}
static void* right(void* unused) {
  int first = LOAD(x, relaxed);
  ADD(x, 0, relaxed);
  int second = LOAD(x, seq_cst);
  assert(first <= second);
  return unused;
}

int main(void) {
  beside_each_other(left, right);
  return 0;
}
