// erand48() with a state of one's own only reads what it shares with others.
// EXPECT: verified
// EXECUTIONS: optimal=1
#include <stdlib.h>

#include "both.h"

static void* draw(void* result) {
  unsigned short state[3] = {1, 2, 3};
  *(double*)result = erand48(state);
  return 0;
}

int main(void) {
  double a, b;
  both(draw, &a, &b);
  return a != b;
}
