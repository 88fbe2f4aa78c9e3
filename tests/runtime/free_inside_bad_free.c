// A pointer into the middle of a block is freed.
// EXPECT: bug bad-free
// LOCATION: HERE
#include <stdlib.h>

static char* volatile block;

int main(void) {
  block = malloc(100);
  free(block + 16);  // HERE
  return 0;
}
