// One thread writes, another reads the file.
// EXPECT: bug assertion
// OPTIONS: --executor=auto
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "both.h"

static long got;

static void* work(void* text) {
  char byte;
  int fd = open("reader.tmp", O_RDWR, 0600);
  if (text) assert(write(fd, text, 1) == 1);
  else got = read(fd, &byte, 1);
  close(fd);
  return 0;
}

int main(void) {
  close(open("reader.tmp", O_RDWR | O_CREAT | O_TRUNC, 0600));
  both(work, "a", 0);
  assert(got == 1);
  return 0;
}
