// Two threads write with one descriptor; main reads back who was first.
// EXPECT: bug assertion
// OPTIONS: --executor=auto
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "both.h"

static int fd;

static void* put(void* text) { return write(fd, text, 1) == 1 ? 0 : text; }

int main(void) {
  char got[2];
  fd = open("shared.tmp", O_RDWR | O_CREAT | O_TRUNC, 0600);
  both(put, "a", "b");
  assert(lseek(fd, 0, SEEK_SET) == 0 && read(fd, got, 2) == 2);
  assert(got[0] == 'a');
  return 0;
}
