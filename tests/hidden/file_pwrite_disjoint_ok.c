// Two threads write to different places: their order makes no difference, and no execution.
// EXPECT: verified
// OPTIONS: --executor=auto
// EXECUTIONS: optimal=1
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "both.h"

// The file's contents.
static void contents(const char* name, char* to, int size) {
  int fd = open(name, O_RDONLY);
  long n = read(fd, to, (unsigned)size - 1);
  assert(fd >= 0 && n >= 0);
  to[n] = 0;
  close(fd);
}

static int fd;

static void* put(void* text) { return pwrite(fd, text, 1, *(char*)text - 'a') == 1 ? 0 : text; }

int main(void) {
  char got[4];
  fd = open("disjoint.tmp", O_RDWR | O_CREAT | O_TRUNC, 0600);
  both(put, "a", "b");
  contents("disjoint.tmp", got, sizeof got);
  assert(got[0] == 'a' && got[1] == 'b');
  return 0;
}
