// Each thread has a state of its own.
// EXPECT: verified
// EXECUTIONS: optimal=1
#include <assert.h>
#include <stdlib.h>

#include "both.h"

static void* draw(void* result) {
  unsigned seed = 5, same = 5;
  *(int*)result = rand_r(&seed) == rand_r(&same);
  return 0;
}

int main(void) {
  int a = 0, b = 0;
  both(draw, &a, &b);
  assert(a && b);
  return 0;
}
