// A thread spins in a library for a lock that another thread holds: nobody but the library knows what it waits for.
// EXPECT: unsupported
// OPTIONS: --hang-timeout=0.5
// MESSAGE: waiting inside .*own_lock_waits.*\.so
// LIBRARY: -O1
#include "own_lock.h"
#ifndef LIBRARY
#include <stdatomic.h>
static atomic_int counter;
static void* add(void* unused) {
  own_lock();
  atomic_store(&counter, atomic_load(&counter) + 1);
  own_unlock();
  return unused;
}
int main(void) {
  start(add);
  add(0);
  return finish() + (counter != 2);
}
#endif
