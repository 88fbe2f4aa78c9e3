// A plain store ends the release sequence, but the release fence before it makes it synchronise by itself.
// EXPECT: verified
// ORACLE: native ThreadSanitizer does not know fences
#include <assert.h>
#include <stdatomic.h>

#include "together.h"

static int data;
static atomic_int flag;

static void* writer(void* unused) {
  data = 42;
  atomic_store_explicit(&flag, 1, memory_order_release);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&flag, 2, memory_order_relaxed);
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
