// Standard input is the same in every run.
// EXPECT: verified
// OPTIONS: --executor=auto
// STDIN: 40 2
#include <assert.h>
#include <stdio.h>

#include "together.h"

static void* work(void* unused) { return unused; }

int main(void) {
  int a = 0, b = 0;
  assert(scanf("%d %d", &a, &b) == 2);
  together(work, work);
  assert(a + b == 42);
  return 0;
}
