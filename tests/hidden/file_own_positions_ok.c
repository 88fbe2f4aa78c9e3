// Each thread opens the file for itself, and reads at its own position.
// EXPECT: verified
// OPTIONS: --executor=auto
// EXECUTIONS: optimal=1
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "both.h"

static void* work(void* unused) {
  char got;
  int fd = open("own.tmp", O_RDONLY);
  assert(lseek(fd, 1, SEEK_SET) == 1 && read(fd, &got, 1) == 1 && got == 'b');
  close(fd);
  return unused;
}

int main(void) {
  int fd = open("own.tmp", O_RDWR | O_CREAT | O_TRUNC, 0600);
  assert(write(fd, "ab", 2) == 2);
  both(work, 0, 0);
  close(fd);
  return 0;
}
