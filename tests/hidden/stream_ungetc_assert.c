// One thread reads a character, another gives one back.
// EXPECT: bug assertion
#include <assert.h>
#include <stdio.h>

#include "both.h"

static char text[] = "ab";
static FILE* stream;
static int got;

static void* work(void* gives) {
  if (gives) ungetc('x', stream);
  else got = fgetc(stream);
  return 0;
}

int main(void) {
  stream = fmemopen(text, 2, "r");
  both(work, text, 0);
  assert(got == 'a');
  fclose(stream);
  return 0;
}
