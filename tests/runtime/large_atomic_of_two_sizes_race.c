// A pointer with a counter beside it: the store of the counter alone is relaxed, and publishes nothing.
// EXPECT: bug data-race
// CFLAGS: -latomic
#include "together.h"

typedef struct {
  int* pointer;
  long count;
  long pad;
} tagged;
static _Alignas(16) tagged shared;
int value;
static void* publish(void* unused) {
  value = 1;
  __atomic_store_n(&shared.count, 1, __ATOMIC_RELAXED);
  return unused;
}
static void* look(void* unused) {
  tagged seen;
  __atomic_load(&shared, &seen, __ATOMIC_ACQUIRE);
  if (seen.count) value = 2;
  return unused;
}
int main(void) {
  together(publish, look);
  return 0;
}
