// The data is ordered by the flag, and one location alone has accesses that nothing orders.
// EXPECT: verified
#include <assert.h>

#include "two_threads.h"

static int data;
static atomic_int flag;

static void* writer(void* unused) {
  data = 1;
  STORE(flag, 1, release);
  return unused;
}
static void* reader(void* unused) {
  if (LOAD(flag, acquire)) assert(data);
  return unused;
}

int main(void) {
  beside_each_other(writer, reader);
  return 0;
}
