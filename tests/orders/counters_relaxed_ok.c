// Pure counters: read-modify-writes alone, read after the threads have ended.
// EXPECT: verified
#include <assert.h>

#include "two_threads.h"

static atomic_int a, b;

static void* count(void* unused) {
  ADD(a, 1, relaxed);
  ADD(b, 1, relaxed);
  return unused;
}

int main(void) {
  beside_each_other(count, count);
  assert(LOAD(a, relaxed) == 2 && LOAD(b, relaxed) == 2);
  return 0;
}
