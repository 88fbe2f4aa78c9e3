// A read just past the end of a block.
// EXPECT: bug heap-overflow
// LOCATION: HERE
#include <stdlib.h>

static char* volatile block;
static volatile char seen;

int main(void) {
  block = calloc(24, 1);
  seen = block[24];  // HERE
  free((void*)block);
  return 0;
}
