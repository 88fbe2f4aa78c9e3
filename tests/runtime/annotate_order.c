// AnnotateHappensBefore, AnnotateHappensAfter: an order that nobody sees, but that the program knows of.
// EXPECT: verified
#include "annotate.h"

static void* give(void* unused) {
  data = 1;
  AnnotateHappensBefore(__FILE__, __LINE__, (void*)&flag);
  raise_flag();
  return unused;
}

static void* take(void* unused) {
  if (flag_is_up()) {
    AnnotateHappensAfter(__FILE__, __LINE__, (void*)&flag);
    assert(data == 1);
  }
  return unused;
}

int main(void) {
  together(give, take);
  return 0;
}
