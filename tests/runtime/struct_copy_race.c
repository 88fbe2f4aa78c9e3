// Copying a struct reads all of it.
// (Not static: the compiler would drop stores that nobody reads.)
// EXPECT: bug data-race
#include "together.h"

struct big {
  int values[50];
};
struct big shared, copy;

static void* copier(void* unused) {
  copy = shared;
  return unused;
}

static void* writer(void* unused) {
  shared.values[37] = 1;
  return unused;
}

int main(void) {
  together(copier, writer);
  return 0;
}
