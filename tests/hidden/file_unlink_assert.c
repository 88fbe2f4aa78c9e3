// A file is removed while its facts are asked for.
// EXPECT: bug assertion
// OPTIONS: --executor=auto
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "both.h"

static int found;

static void* work(void* removes) {
  struct stat facts;
  if (removes) return unlink("gone.tmp") ? removes : 0;
  found = stat("gone.tmp", &facts) == 0;
  return 0;
}

int main(void) {
  close(open("gone.tmp", O_RDWR | O_CREAT, 0600));
  both(work, &found, 0);
  assert(found);
  return 0;
}
