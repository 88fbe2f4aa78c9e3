// AnnotateRWLock…: readers are not ordered among each other.
// EXPECT: bug data-race
#include "annotate.h"

static void* give(void* unused) {
  data = 1;
  AnnotateRWLockReleased(__FILE__, __LINE__, (void*)&flag, 0);
  raise_flag();
  return unused;
}

static void* take(void* unused) {
  if (flag_is_up()) {
    AnnotateRWLockAcquired(__FILE__, __LINE__, (void*)&flag, 0);
    assert(data == 1);
  }
  return unused;
}

int main(void) {
  together(give, take);
  return 0;
}
