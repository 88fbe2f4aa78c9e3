// … or goes back in the same stream.
// EXPECT: bug assertion
// OPTIONS: --executor=auto
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "both.h"

static FILE* stream;

static void* put(void* text) {
  fputs(text, stream);
  return 0;
}

int main(void) {
  stream = tmpfile();
  both(put, "a", "b");
  rewind(stream);
  assert(fgetc(stream) == 'a');
  fclose(stream);
  return 0;
}
