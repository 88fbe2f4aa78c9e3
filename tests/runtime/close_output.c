// A run that closes its standard output, as programs do to see whether all was written: the next run has it again.
// EXPECT: verified
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "together.h"

static void* write_line(void* unused) {
  assert(write(1, "line\n", 5) == 5);
  return unused;
}

int main(void) {
  together(write_line, write_line);
  assert(puts("last") >= 0 && fclose(stdout) == 0);
  assert(write(1, "x", 1) == -1 && errno == EBADF);
  assert(close(1) == -1 && errno == EBADF);
  return 0;
}
