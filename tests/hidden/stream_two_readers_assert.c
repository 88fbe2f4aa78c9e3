// Two threads read characters of one stream.
// EXPECT: bug assertion
#include <assert.h>
#include <stdio.h>

#include "both.h"

static char text[] = "ab";
static FILE* stream;
static int got[2];

static void* get(void* to) {
  *(int*)to = getc(stream);
  return 0;
}

int main(void) {
  stream = fmemopen(text, 2, "r");
  both(get, &got[0], &got[1]);
  assert(got[0] == 'a');
  fclose(stream);
  return 0;
}
