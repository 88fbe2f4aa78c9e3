// __tsan_mutex_…: an attempt that failed orders nothing.
// EXPECT: bug data-race
#include "annotate.h"

static void* give(void* unused) {
  data = 1;
  __tsan_mutex_pre_unlock((void*)&flag, 0);
  __tsan_mutex_post_unlock((void*)&flag, 0);
  raise_flag();
  return unused;
}

static void* take(void* unused) {
  if (flag_is_up()) {
    __tsan_mutex_pre_lock((void*)&flag, 1 << 4);
    __tsan_mutex_post_lock((void*)&flag, 1 << 4 | 1 << 5, 0);
    assert(data == 1);
  }
  return unused;
}

int main(void) {
  together(give, take);
  return 0;
}
