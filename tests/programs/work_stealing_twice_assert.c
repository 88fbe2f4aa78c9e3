// The owner moves the top without asking whether a thief has: a task is done twice.
// EXPECT: bug assertion
#include "work_stealing.h"

static int take_last(long t) {
  top = t + 1;
  return 1;
}
