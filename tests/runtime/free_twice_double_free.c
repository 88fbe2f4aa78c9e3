// Freed twice.
// EXPECT: bug double-free
// LOCATION: HERE
#include <stdlib.h>

static void* volatile block;

int main(void) {
  block = malloc(10);
  free(block);
  free(block);  // HERE
  return 0;
}
