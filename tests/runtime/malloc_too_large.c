// An allocation that cannot be had returns null and sets errno, and the program goes on.
// EXPECT: verified
// CFLAGS: -fno-builtin
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

static void* volatile block;  // volatile: the compiler may not guess what an unused allocation returns

int main(void) {
  volatile size_t huge = SIZE_MAX / 4;
  errno = 0;
  block = malloc(huge);
  assert(block == 0 && errno == ENOMEM);
  return 0;
}
