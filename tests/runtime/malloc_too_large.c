// An allocation that cannot be had returns null and sets errno, and the program goes on.
// EXPECT: verified
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  volatile size_t huge = SIZE_MAX / 4;
  errno = 0;
  assert(malloc(huge) == 0 && errno == ENOMEM);
  return 0;
}
