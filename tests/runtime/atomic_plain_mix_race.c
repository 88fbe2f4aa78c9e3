// A plain write races with an atomic read of the same variable.
// EXPECT: bug data-race
#include "together.h"

static int shared;

static void* plain(void* unused) {
  shared = 1;
  return unused;
}

static void* atomic(void* unused) {
  __atomic_load_n(&shared, __ATOMIC_SEQ_CST);
  return unused;
}

int main(void) {
  together(plain, atomic);
  return 0;
}
