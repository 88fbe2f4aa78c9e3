// Atomics of long double, whose last bytes are padding.
// EXPECT: verified
// CFLAGS: -latomic
#include <assert.h>
#include <stdatomic.h>

#include "together.h"

static _Atomic(long double) a;
static int plain;
static void* publish(void* unused) {
  plain = 1;
  atomic_store(&a, 1.5L);
  return unused;
}
static void* consume(void* unused) {
  if (atomic_load(&a) == 1.5L) assert(plain == 1);
  return unused;
}
int main(void) {
  atomic_store(&a, 0.25L);
  assert(atomic_load(&a) == 0.25L);
  assert(atomic_exchange(&a, 0.5L) == 0.25L);
  together(publish, consume);
  return atomic_load(&a) != 1.5L;
}
