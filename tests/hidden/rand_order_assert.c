// Who draws first gets the first number.
// EXPECT: bug assertion
#include <assert.h>
#include <stdlib.h>

#include "both.h"

static int drawn[2];

static void* draw(void* at) {
  *(int*)at = rand();
  return 0;
}

int main(void) {
  srand(1);
  int first = rand();
  srand(1);
  both(draw, &drawn[0], &drawn[1]);
  assert(drawn[0] == first);
  return 0;
}
