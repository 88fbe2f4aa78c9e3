// A thread that draws by itself has the state for itself.
// EXPECT: verified
// EXECUTIONS: optimal=1
#include <assert.h>
#include <stdlib.h>

#include "both.h"

static void* draw(void* draws) {
  if (!draws) return 0;
  srand(3);
  int first = rand();
  srand(3);
  assert(rand() == first);
  return 0;
}

int main(void) {
  both(draw, draw, 0);
  return 0;
}
