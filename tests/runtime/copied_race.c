// The earlier side of a race may be longer than what the detector looks after together: its size is told as it was.
// EXPECT: bug data-race
// MESSAGE: (write of 1 byte by thread . and write of 100 bytes|write of 100 bytes by thread . and write of 1 byte)
#include <string.h>

#include "together.h"

static char from[100], to[100];

static void* copies(void* unused) {
  memcpy(to, from, sizeof to);
  __asm__ volatile("" : : "r"(to) : "memory");
  return unused;
}

static void* writes_one(void* unused) {
  ((volatile char*)to)[50] = 1;
  return unused;
}

int main(void) {
  together(copies, writes_one);
  return 0;
}
