// A relaxed store of 24 bytes publishes nothing.
// EXPECT: bug data-race
// CFLAGS: -latomic
#include <stdatomic.h>

#include "together.h"

typedef struct {
  long a, b, c;
} triple;
static _Atomic triple shared;
int plain;
static void* publish(void* unused) {
  triple one = {1, 1, 1};
  plain = 1;
  atomic_store_explicit(&shared, one, memory_order_relaxed);
  return unused;
}
static void* consume(void* unused) {
  triple seen = atomic_load_explicit(&shared, memory_order_acquire);
  if (seen.a) plain = 2;
  return unused;
}
int main(void) {
  together(publish, consume);
  return 0;
}
