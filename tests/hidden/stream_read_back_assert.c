// Two threads print into one stream; main opens the file and reads it.
// EXPECT: bug assertion
// OPTIONS: --executor=auto
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "both.h"

// The file's contents.
static void contents(const char* name, char* to, int size) {
  int fd = open(name, O_RDONLY);
  long n = read(fd, to, (unsigned)size - 1);
  assert(fd >= 0 && n >= 0);
  to[n] = 0;
  close(fd);
}

static FILE* stream;

static void* put(void* text) {
  fputs(text, stream);
  return 0;
}

int main(void) {
  char got[4];
  stream = fopen("stream.tmp", "w");
  both(put, "a", "b");
  fclose(stream);
  contents("stream.tmp", got, sizeof got);
  assert(got[0] == 'a');
  return 0;
}
