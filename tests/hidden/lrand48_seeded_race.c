// One thread draws, another sets the seed.
// EXPECT: bug data-race
// MESSAGE: drand48
#include <stdlib.h>

#include "both.h"

static long drawn;

static void* work(void* seeds) {
  if (seeds) srand48(1);
  else drawn = lrand48();
  return 0;
}

int main(void) {
  both(work, &drawn, 0);
  return 0;
}
