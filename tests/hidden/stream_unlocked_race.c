// putc_unlocked() by two threads.
// EXPECT: bug data-race
#include <stdio.h>

#include "both.h"

static char text[64];
static FILE* stream;

static void* put(void* unused) {
  putc_unlocked('a', stream);
  return unused;
}

int main(void) {
  stream = fmemopen(text, sizeof text, "w");
  both(put, 0, 0);
  fclose(stream);
  return 0;
}
