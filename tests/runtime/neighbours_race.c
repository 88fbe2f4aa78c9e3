// One thread writes five neighbours one after the other, another thread one of them: the report is about that one, with its own place and size. All five lie
// within the eight bytes that the detector looks after together.
// EXPECT: bug data-race
// OPTIONS: --stop-at=all
// LOCATION: EARLIER
// LOCATION: LATER
// MESSAGE: write of 1 byte by thread . and write of 1 byte by thread
#include "together.h"

static _Alignas(8) struct {
  volatile char a, b, c, d;
  volatile int e;
} shared;

static void* writes_all(void* unused) {
  shared.a = 1;
  shared.b = 1;  // EARLIER
  shared.c = 1;
  shared.d = 1;
  shared.e = 1;
  return unused;
}

static void* writes_one(void* unused) {
  shared.b = 2;  // LATER
  return unused;
}

int main(void) {
  together(writes_all, writes_one);
  return 0;
}
