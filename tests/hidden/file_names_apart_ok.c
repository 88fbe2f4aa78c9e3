// Threads that use different names do not disturb each other.
// EXPECT: verified
// OPTIONS: --executor=auto
// EXECUTIONS: optimal=1
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "both.h"

static void* work(void* name) {
  int fd = open(name, O_CREAT | O_EXCL | O_WRONLY, 0600);
  assert(fd >= 0);
  close(fd);
  assert(unlink(name) == 0);
  return 0;
}

int main(void) {
  both(work, "one.tmp", "two.tmp");
  return 0;
}
