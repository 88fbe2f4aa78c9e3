// The same with fprintf() and putc().
// EXPECT: bug assertion
#include <assert.h>
#include <stdio.h>

#include "both.h"

static char text[64];
static FILE* stream;

static void* put(void* string) {
  if (string) fprintf(stream, "%s", (char*)string);
  else putc('b', stream);
  return 0;
}

int main(void) {
  stream = fmemopen(text, sizeof text, "w");
  both(put, "a", 0);
  fclose(stream);
  assert(text[1] == 'b');
  return 0;
}
