// __tsan_release, __tsan_acquire.
// EXPECT: verified
#include "annotate.h"

static void* give(void* unused) {
  data = 1;
  __tsan_release((void*)&flag);
  raise_flag();
  return unused;
}

static void* take(void* unused) {
  if (flag_is_up()) {
    __tsan_acquire((void*)&flag);
    assert(data == 1);
  }
  return unused;
}

int main(void) {
  together(give, take);
  return 0;
}
