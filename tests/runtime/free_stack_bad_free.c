// Something is freed that never came from malloc.
// EXPECT: bug bad-free
// LOCATION: HERE
#include <stdlib.h>

static void* volatile block;

int main(void) {
  int local = 0;
  block = &local;
  free(block);  // HERE
  return 0;
}
