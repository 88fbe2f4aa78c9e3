// dup() shares the position: one thread moves it while another reads.
// EXPECT: bug assertion
// OPTIONS: --executor=auto
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "both.h"

static int fd, copy;
static char got;

static void* work(void* moves) {
  if (moves) lseek(copy, 1, SEEK_SET);
  else assert(read(fd, &got, 1) == 1);
  return 0;
}

int main(void) {
  fd = open("copies.tmp", O_RDWR | O_CREAT | O_TRUNC, 0600);
  assert(write(fd, "ab", 2) == 2 && lseek(fd, 0, SEEK_SET) == 0);
  copy = dup(fd);
  both(work, &fd, 0);
  assert(got == 'a');
  return 0;
}
