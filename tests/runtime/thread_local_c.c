// __thread and _Thread_local variables are each thread's own, with their initial values.
// EXPECT: verified
#include <assert.h>

#include "together.h"

static __thread int a = 5;
static _Thread_local char big[10000];

static void* work(void* unused) {
  assert(a == 5 && big[9999] == 0);
  a++;
  big[9999] = 1;
  assert(a == 6);
  return unused;
}

int main(void) {
  a = 100;
  together(work, work);
  assert(a == 100 && big[9999] == 0);
  return 0;
}
