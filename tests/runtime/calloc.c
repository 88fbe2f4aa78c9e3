// calloc gives zeroes, also where something was freed before, and refuses sizes that overflow.
// EXPECT: verified
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void* volatile block;  // volatile: the compiler may not guess what an unused allocation returns

int main(void) {
  volatile size_t huge = SIZE_MAX / 2;
  for (int round = 0; round < 3; round++) {
    char* zeroes = calloc(25, 4);
    for (int i = 0; i < 100; i++) assert(zeroes[i] == 0);
    memset(zeroes, 0xff, 100);
    free(zeroes);
  }
  block = calloc(huge, 4);
  assert(block == 0);
  return 0;
}
