// calloc gives zeroes, also where something was freed before, and refuses sizes that overflow.
// EXPECT: verified
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  volatile size_t huge = SIZE_MAX / 2;
  for (int round = 0; round < 3; round++) {
    char* block = calloc(25, 4);
    for (int i = 0; i < 100; i++) assert(block[i] == 0);
    memset(block, 0xff, 100);
    free(block);
  }
  assert(calloc(huge, 4) == 0);
  return 0;
}
