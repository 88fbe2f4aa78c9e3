// Accesses that are all seq_cst have no other executions, at however many locations.
// EXPECT: verified
#include <assert.h>

#include "two_threads.h"

static atomic_int x, y;
static int r1, r2;

static void* left(void* unused) {
  STORE(x, 1, seq_cst);
  r1 = LOAD(y, seq_cst);
  return unused;
}
static void* right(void* unused) {
  STORE(y, 1, seq_cst);
  r2 = LOAD(x, seq_cst);
  return unused;
}

int main(void) {
  beside_each_other(left, right);
  assert(r1 || r2);
  return 0;
}
