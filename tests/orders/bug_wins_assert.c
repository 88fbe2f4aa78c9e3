// A bug that an interleaving shows is a bug, whatever the orders are.
// EXPECT: bug assertion
#include <assert.h>

#include "two_threads.h"

static atomic_int x, y;

static void* left(void* unused) {
  STORE(x, 1, relaxed);
  STORE(y, 1, relaxed);
  return unused;
}
static void* right(void* unused) {
  int before = LOAD(x, relaxed), after = LOAD(y, relaxed);
  assert(before || !after);
  return unused;
}

int main(void) {
  beside_each_other(left, right);
  return 0;
}
