// getentropy, getrandom and arc4random are the same in every run: how many threads there are depends on them, and it is explored as one program.
// EXPECT: verified
#define _GNU_SOURCE
#include <assert.h>
#include <stdint.h>
#include <sys/random.h>
#include <unistd.h>

#include "together.h"

extern uint32_t arc4random(void) __attribute__((weak));  // from glibc 2.36 on

static void* work(void* unused) { return unused; }

int main(void) {
  unsigned char a = 0, b = 0;
  assert(getentropy(&a, 1) == 0);
  assert(getrandom(&b, 1, 0) == 1);
  unsigned drawn = a + b;
  if (arc4random) drawn += arc4random();
  for (unsigned i = 0; i < drawn % 3; i++) together(work, work);
  return 0;
}
