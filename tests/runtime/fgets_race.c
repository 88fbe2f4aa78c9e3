// fgets writes what another thread reads.
// EXPECT: bug data-race
// STDIN: heddle
// LOCATION: HERE
#include <stdio.h>

#include "together.h"

static char shared[16];
static volatile char sink;

static void* caller(void* unused) {
  if (!fgets(shared, sizeof shared, stdin)) return 0;  // HERE
  return unused;
}

static void* reader(void* unused) {
  sink = shared[3];
  return unused;
}

int main(void) {
  together(caller, reader);
  return 0;
}
