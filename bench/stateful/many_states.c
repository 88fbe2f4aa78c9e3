// BRANCHES × 96,000 states, in runs that never meet: what a stored state takes.
#include <heddle/heddle.h>
#include <stdatomic.h>

#ifndef BRANCHES
#define BRANCHES 105
#endif

static atomic_long sum;

int main(void) {
  const long step = 1 + heddle_choose(BRANCHES);
  for (long i = 1; i <= 96000; ++i) atomic_store_explicit(&sum, i << 8 | step, memory_order_release);
}
