// A pointer with a counter beside it, exchanged as a whole; readers look at the pointer alone.
// Two sizes are no one location, of which the order would be known whatever the memory orders.
// EXPECT: within-bound
// CFLAGS: -latomic
// ORACLE: native ThreadSanitizer does not look into libatomic
#include <assert.h>

#include "together.h"

typedef struct {
  int* pointer;
  long count;
  long pad;
} tagged;
static _Alignas(16) tagged shared;
static int value;
static void* publish(void* unused) {
  tagged seen, next;
  value = 1;
  __atomic_load(&shared, &seen, __ATOMIC_RELAXED);
  next = (tagged){&value, seen.count + 1, 0};
  __atomic_compare_exchange(&shared, &seen, &next, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
  return unused;
}
static void* look(void* unused) {
  if (__atomic_load_n(&shared.count, __ATOMIC_ACQUIRE)) assert(value == 1);
  return unused;
}
int main(void) {
  together(publish, look);
  return 0;
}
