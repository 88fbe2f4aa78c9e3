// Each thread has a stream and a file of its own.
// EXPECT: verified
// OPTIONS: --executor=auto
// EXECUTIONS: optimal=1
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

static void* put(void* name) {
  char got[8];
  FILE* stream = fopen(name, "w");
  fputs(name, stream);
  fclose(stream);
  contents(name, got, sizeof got);
  assert(got[0] == *(char*)name);
  return 0;
}

int main(void) {
  both(put, "x.tmp", "y.tmp");
  return 0;
}
