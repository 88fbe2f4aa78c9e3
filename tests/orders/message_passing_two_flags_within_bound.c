// Each flag orders its data; but two locations have accesses that nothing orders.
// EXPECT: within-bound
#include <assert.h>

#include "two_threads.h"

static int data[2];
static atomic_int flag[2];

static void* there(void* unused) {
  data[0] = 1;
  STORE(flag[0], 1, release);
  if (LOAD(flag[1], acquire)) assert(data[1]);
  return unused;
}
static void* back(void* unused) {
  if (LOAD(flag[0], acquire)) assert(data[0]);
  data[1] = 1;
  STORE(flag[1], 1, release);
  return unused;
}

int main(void) {
  beside_each_other(there, back);
  return 0;
}
