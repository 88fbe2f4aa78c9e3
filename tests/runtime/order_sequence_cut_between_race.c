// A read-modify-write of another thread continues the sequence; the plain store behind it ends it, although its thread began it.
// EXPECT: bug data-race
#include <stdatomic.h>

#include "together.h"

static int data;
int seen;
static atomic_int flag;

static void* writer(void* unused) {
  data = 42;
  atomic_store_explicit(&flag, 1, memory_order_release);
  if (atomic_load_explicit(&flag, memory_order_relaxed) == 2) atomic_store_explicit(&flag, 3, memory_order_relaxed);
  return unused;
}

static void* reader(void* unused) {
  int one = 1;
  atomic_compare_exchange_strong_explicit(&flag, &one, 2, memory_order_relaxed, memory_order_relaxed);
  if (atomic_load_explicit(&flag, memory_order_acquire) == 3) seen = data;
  return unused;
}

int main(void) {
  together(writer, reader);
  return 0;
}
