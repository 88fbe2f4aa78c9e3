// Who does not say that he comes after is not ordered.
// EXPECT: bug data-race
#include "annotate.h"

static void* give(void* unused) {
  data = 1;
  AnnotateHappensBefore(__FILE__, __LINE__, (void*)&flag);
  raise_flag();
  return unused;
}

static void* take(void* unused) {
  if (flag_is_up()) {
    assert(data == 1);
  }
  return unused;
}

int main(void) {
  together(give, take);
  return 0;
}
