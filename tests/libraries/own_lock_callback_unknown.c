// A library calls the program back while it holds a lock of its own.
// EXPECT: unknown
// UNCOVERED: library is not instrumented
// UNKNOWN: ordered by .*own_lock.*\.so
// LIBRARY: -O2
#include "own_lock.h"
#ifndef LIBRARY
static int counter;
static void add(void) { ++counter; }
static void* run(void* unused) {
  own_guarded(add);
  return unused;
}
int main(void) {
  start(run);
  run(0);
  return finish() + (counter != 2);
}
#endif
