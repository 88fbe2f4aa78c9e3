// A read of freed memory, in one thread.
// EXPECT: bug use-after-free
// LOCATION: HERE
#include <stdlib.h>

static int* volatile block;
static volatile int seen;

int main(void) {
  block = malloc(4 * sizeof *block);
  block[2] = 1;
  free((void*)block);
  seen = block[2];  // HERE
  return 0;
}
