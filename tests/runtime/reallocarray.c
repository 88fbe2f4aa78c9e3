// reallocarray is realloc with a checked product.
// EXPECT: verified
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

static void* volatile block;

int main(void) {
  volatile size_t huge = SIZE_MAX / 2;
  int* numbers = reallocarray(0, 4, sizeof *numbers);
  numbers[3] = 7;
  numbers = reallocarray(numbers, 8, sizeof *numbers);
  assert(numbers[3] == 7);
  block = reallocarray(numbers, huge, sizeof *numbers);
  assert(block == 0 && errno == ENOMEM);
  free(numbers);
  return 0;
}
