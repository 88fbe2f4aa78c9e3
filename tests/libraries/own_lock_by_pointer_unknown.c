// A library's lock function is called through a pointer.
// EXPECT: unknown
// UNCOVERED: library is not instrumented
// UNKNOWN: ordered by .*own_lock.*\.so
// LIBRARY: -O1
#include "own_lock.h"
#ifndef LIBRARY
static int counter;
static own_function lock;
static void* add(void* unused) {
  lock();
  ++counter;
  own_unlock();
  return unused;
}
int main(void) {
  lock = own_lock_function();
  start(add);
  add(0);
  return finish() + (counter != 2);
}
#endif
