// One thread writes after it has left a library, the other reads before it enters it: nothing orders the two.
// EXPECT: bug data-race
// LIBRARY: -O1
#include "own_lock.h"
#ifndef LIBRARY
int x;
static void* set(void* unused) {
  own_lock();
  own_unlock();
  x = 1;
  return unused;
}
int main(void) {
  start(set);
  int seen = x;
  own_lock();
  own_unlock();
  return finish() + (seen > 1);
}
#endif
