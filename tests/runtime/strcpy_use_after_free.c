// A string function on a freed block.
// EXPECT: bug use-after-free
// LOCATION: HERE
// CFLAGS: -fno-builtin
#include <stdlib.h>
#include <string.h>

static char* volatile block;
static volatile size_t length;

int main(void) {
  block = strdup("heddle");
  free(block);
  length = strlen(block);  // HERE
  return 0;
}
