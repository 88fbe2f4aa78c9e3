// What main does before it creates threads and after it has joined them is ordered.
// EXPECT: verified
#include <assert.h>

#include "two_threads.h"

static atomic_int x, y;

static void* left(void* unused) {
  STORE(x, LOAD(x, relaxed) + 1, relaxed);
  return unused;
}
static void* right(void* unused) {
  STORE(y, LOAD(y, relaxed) + 1, relaxed);
  return unused;
}

int main(void) {
  STORE(x, 5, relaxed);
  STORE(y, 5, relaxed);
  beside_each_other(left, right);
  assert(LOAD(x, relaxed) == 6 && LOAD(y, relaxed) == 6);
  return 0;
}
