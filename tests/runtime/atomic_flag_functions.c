// The functions of <stdatomic.h> that are macros as a rule.
// EXPECT: verified
// CFLAGS: -latomic
#include <assert.h>
#include <stdatomic.h>

#include "together.h"

static atomic_flag flag = ATOMIC_FLAG_INIT;
static int counter;
static void* add(void* unused) {
  while ((atomic_flag_test_and_set)(&flag)) {
  }
  ++counter;
  (atomic_flag_clear)(&flag);
  return unused;
}
static void* add_explicitly(void* unused) {
  while ((atomic_flag_test_and_set_explicit)(&flag, memory_order_acquire)) {
  }
  ++counter;
  (atomic_flag_clear_explicit)(&flag, memory_order_release);
  return unused;
}
int main(void) {
  (atomic_thread_fence)(memory_order_seq_cst);
  (atomic_signal_fence)(memory_order_seq_cst);
  together(add, add_explicitly);
  assert(counter == 2);
  return 0;
}
