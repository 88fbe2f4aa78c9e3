// One thread sets the seed, another draws: before or after.
// EXPECT: bug assertion
#include <assert.h>
#include <stdlib.h>

#include "both.h"

static long drawn;

static void* work(void* seeds) {
  if (seeds) srandom(7);
  else drawn = random();
  return 0;
}

int main(void) {
  srandom(7);
  long first = random();
  srandom(8);
  both(work, &drawn, 0);
  assert(drawn == first);
  return 0;
}
