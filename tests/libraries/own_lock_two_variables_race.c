// One variable is under a library's lock, another one is not: that race is certain.
// EXPECT: bug data-race
// LIBRARY: -O1
// LOCATION: HERE
#include "own_lock.h"
#ifndef LIBRARY
static int counter, other_counter;
static void* add(void* unused) {
  own_lock();
  ++counter;
  own_unlock();
  ++other_counter;  // HERE
  return unused;
}
int main(void) {
  start(add);
  add(0);
  return finish();
}
#endif
