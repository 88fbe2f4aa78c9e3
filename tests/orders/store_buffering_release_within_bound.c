// Both loads may read 0 on a real machine: release and acquire do not order a store before a later load.
// EXPECT: within-bound
// VACUOUS: no
// ASSUMES: memory orders .*(store|load) \((release|acquire)\) in (left|right) at .*_within_bound.c:
#include <assert.h>

#include "two_threads.h"

static atomic_int x, y;
static int r1, r2;

static void* left(void* unused) {
  STORE(x, 1, release);
  r1 = LOAD(y, acquire);
  return unused;
}
static void* right(void* unused) {
  STORE(y, 1, release);
  r2 = LOAD(x, acquire);
  return unused;
}

int main(void) {
  beside_each_other(left, right);
  assert(r1 || r2);
  return 0;
}
