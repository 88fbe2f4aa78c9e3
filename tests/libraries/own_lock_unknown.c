// A counter under a library's own lock: whether it orders anything cannot be seen.
// EXPECT: unknown
// UNCOVERED: library is not instrumented
// UNKNOWN: ordered by .*own_lock.*\.so
// LIBRARY: -O1
#include "own_lock.h"
#ifndef LIBRARY
static int counter;
static void* add(void* unused) {
  own_lock();
  ++counter;
  own_unlock();
  return unused;
}
int main(void) {
  start(add);
  add(0);
  return finish() + (counter != 2);
}
#endif
