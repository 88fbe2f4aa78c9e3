// A loop that waits for 24 bytes to change ends.
// EXPECT: verified
// CFLAGS: -latomic
#include "together.h"

typedef struct {
  long a, b, c;
} triple;
static triple shared;
static void* set(void* unused) {
  triple one = {0, 0, 1};
  __atomic_store(&shared, &one, __ATOMIC_RELEASE);
  return unused;
}
static void* wait(void* unused) {
  triple seen;
  do __atomic_load(&shared, &seen, __ATOMIC_ACQUIRE);
  while (!seen.c);
  return unused;
}
int main(void) {
  together(set, wait);
  return 0;
}
