// A part of a large block that is touched for the first time after the free.
// EXPECT: bug use-after-free
// LOCATION: HERE
#include <stdlib.h>

int main(void) {
  volatile char* p = malloc(64u << 20);
  p[0] = 1;
  free((void*)p);
  p[32u << 20] = 1;  // HERE
  return 0;
}
