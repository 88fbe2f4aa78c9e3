// flockfile() is the lock that putc_unlocked() wants.
// EXPECT: within-bound
// UNCOVERED: call fmemopen
// CFLAGS: -D_GNU_SOURCE
#include <assert.h>
#include <stdio.h>

#include "both.h"

static char text[64];
static FILE* stream;

static void* put(void* letter) {
  flockfile(stream);
  (fputc_unlocked)(*(char*)letter, stream);
  (fputc_unlocked)(*(char*)letter, stream);
  funlockfile(stream);
  return 0;
}

int main(void) {
  stream = fmemopen(text, sizeof text, "w");
  both(put, "a", "b");
  fclose(stream);
  assert(text[0] == text[1] && text[2] == text[3]);
  return 0;
}
