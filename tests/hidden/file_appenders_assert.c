// Two threads have opened one file for appending, each by itself.
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

static void* put(void* text) {
  int fd = open("append.tmp", O_WRONLY | O_CREAT | O_APPEND, 0600);
  void* failed = write(fd, text, 1) == 1 ? 0 : text;
  close(fd);
  return failed;
}

int main(void) {
  char got[4];
  both(put, "a", "b");
  contents("append.tmp", got, sizeof got);
  assert(got[0] != 'b' && got[1] && !got[2]);
  return 0;
}
