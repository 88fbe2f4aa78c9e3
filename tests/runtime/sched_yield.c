// Yielding changes nothing but who may run.
// EXPECT: verified
#include <assert.h>
#include <sched.h>

#include "together.h"

static void* work(void* unused) {
  assert(sched_yield() == 0);
  return unused;
}

int main(void) {
  together(work, work);
  return 0;
}
