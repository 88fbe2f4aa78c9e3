// fwrite reads what another thread changes.
// EXPECT: bug data-race
// LOCATION: HERE
#include <stdio.h>

#include "together.h"

static char shared[8] = "heddle";

static void* caller(void* unused) {
  fwrite(shared, 1, 6, stdout);  // HERE
  return unused;
}

static void* writer(void* unused) {
  shared[3] = 'x';
  return unused;
}

int main(void) {
  together(caller, writer);
  return 0;
}
