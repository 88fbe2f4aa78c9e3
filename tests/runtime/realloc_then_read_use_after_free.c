// The old place of a block that realloc has moved.
// EXPECT: bug use-after-free
// LOCATION: HERE
#include <stdlib.h>

static char *volatile old, *volatile grown;
static volatile char seen;

int main(void) {
  old = malloc(10);
  old[0] = 1;
  grown = realloc((void*)old, 1 << 20);
  seen = old[0];  // HERE
  free((void*)grown);
  return 0;
}
