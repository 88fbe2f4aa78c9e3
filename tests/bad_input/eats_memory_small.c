// The same in small blocks that are written: ends with null from malloc, or with a clear word of the tool.
// EXPECT: bug assertion|crash
// TIMEOUT: 120
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  for (;;) {
    char* block = malloc(1 << 20);
    assert(block);
    memset(block, 1, 1 << 20);
  }
}
