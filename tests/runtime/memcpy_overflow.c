// A memcpy that writes past the end of a heap block.
// EXPECT: bug heap-overflow
// LOCATION: HERE
// CFLAGS: -fno-builtin -Wno-stringop-overflow
#include <stdlib.h>
#include <string.h>

static char source[64];
static volatile size_t length = 30;

int main(void) {
  char* block = malloc(20);
  memcpy(block, source, length);  // HERE
  free(block);
  return 0;
}
