// Accesses of two sizes are not at one location: coherence says nothing about them.
// EXPECT: within-bound
#include <stdint.h>

#include "two_threads.h"

static union {
  _Atomic uint64_t whole;
  _Atomic uint32_t half[2];
} u;

static void* left(void* unused) {
  STORE(u.half[1], 1, relaxed);
  return unused;
}
static void* right(void* unused) {
  (void)LOAD(u.whole, relaxed);
  return unused;
}

int main(void) {
  beside_each_other(left, right);
  return 0;
}
