// One thread empties the file that another one asks for its size.
// EXPECT: bug assertion
// OPTIONS: --executor=auto
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "both.h"

static int fd;
static long size;

static void* work(void* empties) {
  struct stat facts;
  if (empties) return ftruncate(fd, 0) ? empties : 0;
  fstat(fd, &facts);
  size = facts.st_size;
  return 0;
}

int main(void) {
  fd = open("size.tmp", O_RDWR | O_CREAT | O_TRUNC, 0600);
  assert(write(fd, "ab", 2) == 2);
  both(work, &fd, 0);
  assert(size == 2);
  return 0;
}
