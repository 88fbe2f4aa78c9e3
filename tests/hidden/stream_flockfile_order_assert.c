// Two threads that lock the stream have an order.
// EXPECT: bug assertion
#include <assert.h>
#include <stdio.h>

#include "both.h"

static char text[64];
static FILE* stream;

static void* put(void* string) {
  flockfile(stream);
  fputs(string, stream);
  funlockfile(stream);
  return 0;
}

int main(void) {
  stream = fmemopen(text, sizeof text, "w");
  both(put, "a", "b");
  fclose(stream);
  assert(text[0] == 'a');
  return 0;
}
