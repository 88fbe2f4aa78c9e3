// Two threads write to one log that nobody reads: one execution.
// EXPECT: verified
// OPTIONS: --executor=auto
// EXECUTIONS: optimal=1
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "both.h"

static int fd;

static void* put(void* text) { return write(fd, text, 1) == 1 ? 0 : text; }

int main(void) {
  fd = open("log.tmp", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  both(put, "a", "b");
  close(fd);
  return 0;
}
