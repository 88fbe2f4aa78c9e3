// One of two threads makes the directory, the other finds it.
// EXPECT: verified
// OPTIONS: --executor=auto
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "both.h"

static int failed[2];

static void* make(void* at) {
  *(int*)at = mkdir("made.tmp", 0700);
  return 0;
}

int main(void) {
  struct stat facts;
  assert(stat("made.tmp", &facts) != 0);
  both(make, &failed[0], &failed[1]);
  assert(failed[0] + failed[1] == -1);
  assert(rmdir("made.tmp") == 0);
  return 0;
}
