// Freed twice.
// EXPECT: bug double-free
// LOCATION: HERE
// LOCATION: FIRST
#include <stdlib.h>

static void* volatile block;

int main(void) {
  block = malloc(10);
  free(block);  // FIRST
  free(block);  // HERE
  return 0;
}
