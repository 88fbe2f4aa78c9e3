// drand48() has a state that nothing protects.
// EXPECT: bug data-race
// MESSAGE: drand48\(\) by thread \d and drand48\(\) by thread \d
#include <stdlib.h>

#include "both.h"

static void* draw(void* result) {
  *(double*)result = drand48();
  return 0;
}

int main(void) {
  double a, b;
  both(draw, &a, &b);
  return 0;
}
