// Blocks are aligned, disjoint, writable, and not touched by others.
// EXPECT: verified
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char* block[50];
  for (int i = 0; i < 50; i++) {
    block[i] = malloc(1 + i * 37);
    assert(block[i] && (uintptr_t)block[i] % 16 == 0);
    memset(block[i], i, 1 + i * 37);
  }
  for (int i = 0; i < 50; i++)
    for (int k = 0; k < 1 + i * 37; k++) assert(block[i][k] == i);
  for (int i = 0; i < 50; i++) free(block[i]);
  free(0);
  char* large = malloc(8 << 20);
  large[0] = large[(8 << 20) - 1] = 1;
  free(large);
  return 0;
}
