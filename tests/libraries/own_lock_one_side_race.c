// Only one of two threads takes a library's lock.
// EXPECT: bug data-race
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
  ++counter;
  return finish();
}
#endif
