// fputs() takes the stream's lock; fputc_unlocked() does not.
// EXPECT: bug data-race
// CFLAGS: -D_GNU_SOURCE
#include <stdio.h>

#include "both.h"

static void* put(void* locks) {
  if (locks) fputs("a", stdout);
  else (fputc_unlocked)('b', stdout);
  return 0;
}

int main(void) {
  both(put, "", 0);
  return 0;
}
