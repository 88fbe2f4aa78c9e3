// AnnotateIgnoreReadsBegin: a read that is not to be looked at.
// EXPECT: verified
#include "annotate.h"

static void* give(void* unused) {
  data = 1;
  raise_flag();
  return unused;
}

static void* take(void* unused) {
  if (flag_is_up()) {
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    int seen = data;
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
    assert(seen == 1);
  }
  return unused;
}

int main(void) {
  together(give, take);
  return 0;
}
