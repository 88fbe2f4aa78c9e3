// O_EXCL lets one of two threads make the file, in every execution anew.
// EXPECT: verified
// OPTIONS: --executor=auto
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "both.h"

static int made[2];

static void* make(void* at) {
  int fd = open("lock.tmp", O_CREAT | O_EXCL | O_WRONLY, 0600);
  *(int*)at = fd >= 0;
  if (fd >= 0) close(fd);
  return 0;
}

int main(void) {
  both(make, &made[0], &made[1]);
  assert(made[0] + made[1] == 1);
  return 0;
}
