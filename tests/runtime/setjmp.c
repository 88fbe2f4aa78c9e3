// setjmp and longjmp within a thread, across frames, while another thread does the same.
// EXPECT: verified
// ORACLE: native ThreadSanitizer finds false races on frames left by longjmp
#include <assert.h>
#include <setjmp.h>
#include <stdatomic.h>

#include "together.h"

static atomic_int step;

static void deep(jmp_buf back, int depth) {
  atomic_fetch_add(&step, 1);
  if (depth == 0) longjmp(back, 3);
  deep(back, depth - 1);
}

static void* work(void* unused) {
  jmp_buf back;
  int value = setjmp(back);
  if (value == 0) deep(back, 1);
  assert(value == 3);
  return unused;
}

int main(void) {
  together(work, work);
  assert(step == 4);
  return 0;
}
