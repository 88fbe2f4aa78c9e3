// Whoever prints waits until the stream's lock is free.
// EXPECT: within-bound
// UNCOVERED: call fmemopen
#include <assert.h>
#include <stdio.h>

#include "both.h"

static char text[64];
static FILE* stream;

static void* put(void* locks) {
  if (!locks) return fputs("b", stream) < 0 ? stream : 0;
  flockfile(stream);
  fputs("a", stream);
  fputs("a", stream);
  funlockfile(stream);
  return 0;
}

int main(void) {
  stream = fmemopen(text, sizeof text, "w");
  both(put, "", 0);
  fclose(stream);
  assert(text[1] == 'a');
  return 0;
}
