// Process and thread numbers are steady within a run.
// EXPECT: verified
#define _GNU_SOURCE
#include <assert.h>
#include <unistd.h>

#include "together.h"

static pid_t process;

static void* work(void* unused) {
  assert(getpid() == process && gettid() != 0 && gettid() == gettid());
  return unused;
}

int main(void) {
  process = getpid();
  assert(process > 0 && getppid() >= 0);
  together(work, work);
  return 0;
}
