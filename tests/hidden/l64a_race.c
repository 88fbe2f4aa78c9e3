// l64a() has one buffer.
// EXPECT: bug data-race
// CFLAGS: -D_GNU_SOURCE
#include <stdlib.h>

#include "both.h"

static volatile long sink[2];

static void* work(void* at) {
  *(volatile long*)at = (long)(l64a(1000) != 0);
  return 0;
}

int main(void) {
  both(work, (void*)&sink[0], (void*)&sink[1]);
  return 0;
}
