// An atomic struct of 24 bytes, loaded and stored in two steps: an update may be lost.
// EXPECT: bug assertion
// CFLAGS: -latomic
#include <assert.h>
#include <stdatomic.h>

#include "together.h"

typedef struct {
  long a, b, c;
} triple;
static _Atomic triple shared;
static void* add(void* unused) {
  triple seen = atomic_load(&shared);
  seen.a++;
  atomic_store(&shared, seen);
  return unused;
}
int main(void) {
  together(add, add);
  triple seen = atomic_load(&shared);
  assert(seen.a == 2);
  return 0;
}
