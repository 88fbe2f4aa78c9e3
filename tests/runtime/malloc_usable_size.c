// All usable bytes may be used.
// EXPECT: verified
#include <assert.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char* block = malloc(13);
  size_t usable = malloc_usable_size(block);
  assert(usable >= 13);
  memset(block, 1, usable);
  assert(malloc_usable_size(0) == 0);
  free(block);
  return 0;
}
