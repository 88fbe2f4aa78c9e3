// The data may be seen later than the flag on a real machine.
// EXPECT: within-bound
// ASSUMES: memory orders .*\(relaxed\)
#include <assert.h>

#include "two_threads.h"

static atomic_int data, flag;

static void* writer(void* unused) {
  STORE(data, 1, relaxed);
  STORE(flag, 1, relaxed);
  return unused;
}
static void* reader(void* unused) {
  if (LOAD(flag, relaxed)) assert(LOAD(data, relaxed));
  return unused;
}

int main(void) {
  beside_each_other(writer, reader);
  return 0;
}
