// BRANCHES × 100,000 states, in runs that never meet: what a stored state takes. Two threads count by themselves, in steps that a choice decides.
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef BRANCHES
#define BRANCHES 105
#endif

enum { kSteps = 48000 };
static atomic_long sums[2];
static long step;

static void* counts(void* sum) {
  for (int i = 0; i < kSteps; ++i) atomic_fetch_add((atomic_long*)sum, step);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  step = 1 + heddle_choose(BRANCHES);
  for (int t = 0; t < 2; ++t) pthread_create(&threads[t], 0, counts, &sums[t]);
  for (int t = 0; t < 2; ++t) pthread_join(threads[t], 0);
}
