// A constructor takes all memory.
// EXPECT: error 2
// MESSAGE: more than 256 MB of memory before main
// OPTIONS: --target-memory=256M
// TIMEOUT: 60
#include <stdlib.h>
#include <string.h>

__attribute__((constructor)) static void eat(void) {
  for (char* block; (block = malloc(1 << 20));) memset(block, 1, 1 << 20);
}

int main(void) { return 0; }
