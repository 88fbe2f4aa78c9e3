// A relaxed read-modify-write of the same thread continues the release sequence.
// EXPECT: verified
#include <assert.h>
#include <stdatomic.h>

#include "together.h"

static int data;
static atomic_int flag;

static void* writer(void* unused) {
  data = 42;
  atomic_store_explicit(&flag, 1, memory_order_release);
  atomic_fetch_add_explicit(&flag, 1, memory_order_relaxed);
  return unused;
}

static void* reader(void* unused) {
  if (atomic_load_explicit(&flag, memory_order_acquire) == 2) assert(data == 42);
  return unused;
}

int main(void) {
  together(writer, reader);
  return 0;
}
