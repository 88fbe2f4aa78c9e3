// Accesses of different sizes race when they share a byte.
// (Not static: the compiler would drop stores that nobody reads.)
// EXPECT: bug data-race
#include <stdint.h>

#include "together.h"

union {
  uint64_t whole;
  uint8_t byte[8];
} shared;

static void* whole(void* unused) {
  shared.whole = 1;
  return unused;
}

static void* last(void* unused) {
  shared.byte[7] = 1;
  return unused;
}

int main(void) {
  together(whole, last);
  return 0;
}
