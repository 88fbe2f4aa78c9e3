// Anonymous memory from mmap is shared between threads like any other: accesses to it can race.
// EXPECT: bug data-race
#define _GNU_SOURCE
#include <sys/mman.h>

#include "together.h"

static int* shared;

static void* work(void* unused) {
  shared[10]++;
  return unused;
}

int main(void) {
  shared = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return 1;
  together(work, work);
  return 0;
}
