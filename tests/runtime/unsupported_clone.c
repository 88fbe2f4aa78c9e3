// A thread made behind the runtime's back.
// EXPECT: unsupported
// MESSAGE: \bclone\b
#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>

static int work(void* unused) {
  (void)unused;
  return 0;
}

int main(void) {
  char* stack = malloc(1 << 16);
  return clone(work, stack + (1 << 16), CLONE_VM | CLONE_FS | CLONE_FILES, 0) < 0;
}
