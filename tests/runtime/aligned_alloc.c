// aligned_alloc, posix_memalign, memalign, valloc and pvalloc give the alignment that is asked for.
// EXPECT: verified
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void check(void* block, size_t alignment, size_t size) {
  assert(block && (uintptr_t)block % alignment == 0);
  memset(block, 1, size);
  free(block);
}

int main(void) {
  void* block;
  check(aligned_alloc(64, 128), 64, 128);
  check(aligned_alloc(4096, 4096), 4096, 4096);
  check(memalign(256, 10), 256, 10);
  check(valloc(10), 4096, 10);
  check(pvalloc(10), 4096, 4096);
  assert(posix_memalign(&block, 1024, 100) == 0);
  check(block, 1024, 100);
  volatile size_t odd = 24;
  assert(posix_memalign(&block, odd, 100) == EINVAL);
  return 0;
}
