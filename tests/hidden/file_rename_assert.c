// A file gets another name while it is looked for.
// EXPECT: bug assertion
// OPTIONS: --executor=auto
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "both.h"

static int found;

static void* work(void* renames) {
  if (renames) return rename("old.tmp", "new.tmp") ? renames : 0;
  int fd = open("old.tmp", O_RDONLY);
  found = fd >= 0;
  if (fd >= 0) close(fd);
  return 0;
}

int main(void) {
  close(open("old.tmp", O_RDWR | O_CREAT, 0600));
  both(work, &found, 0);
  assert(found);
  return 0;
}
