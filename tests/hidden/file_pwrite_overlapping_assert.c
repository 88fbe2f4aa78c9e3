// Two threads write to the same place of a file.
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

static int fd;

static void* put(void* text) { return pwrite(fd, text, 1, 0) == 1 ? 0 : text; }

int main(void) {
  char got[4];
  fd = open("overlap.tmp", O_RDWR | O_CREAT | O_TRUNC, 0600);
  both(put, "a", "b");
  contents("overlap.tmp", got, sizeof got);
  assert(got[0] == 'b');
  return 0;
}
