// In C++20 a plain store ends the release sequence of its own thread, too. (Up to C++17 it continued it.)
// EXPECT: bug data-race
// LOCATION: WRITE
// LOCATION: READ
#include <stdatomic.h>

#include "together.h"

static int data;
int seen;
static atomic_int flag;

static void* writer(void* unused) {
  data = 42;  // WRITE
  atomic_store_explicit(&flag, 1, memory_order_release);
  atomic_store_explicit(&flag, 2, memory_order_relaxed);
  return unused;
}

static void* reader(void* unused) {
  if (atomic_load_explicit(&flag, memory_order_acquire) == 2) seen = data;  // READ
  return unused;
}

int main(void) {
  together(writer, reader);
  return 0;
}
