// Randomness is the same in every run: seeded or not, a choice that depends on it replays.
// EXPECT: verified
#include <assert.h>
#include <stdlib.h>

#include "together.h"

static int drawn;

static void* work(void* unused) { return unused; }

int main(void) {
  srand(7);
  int first = rand();
  srand(7);
  assert(rand() == first);
  unsigned seed = 3, again = 3;
  assert(rand_r(&seed) == rand_r(&again));
  drawn = (int)(random() % 2);
  if (drawn) together(work, work);
  return 0;
}
