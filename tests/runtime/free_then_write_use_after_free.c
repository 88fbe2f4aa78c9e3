// A write to freed memory.
// EXPECT: bug use-after-free
// LOCATION: HERE
#include <stdlib.h>

static char* volatile block;

int main(void) {
  block = malloc(10);
  free((void*)block);
  block[0] = 1;  // HERE
  return 0;
}
