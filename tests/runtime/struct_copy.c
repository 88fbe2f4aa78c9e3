// Copies of neighbouring structs do not touch each other.
// EXPECT: verified
// EXECUTIONS: optimal=1
#include <assert.h>

#include "together.h"

struct big {
  int values[50];
};
static struct big shared[2], source = {{1, 2, 3}};

static void* first(void* unused) {
  shared[0] = source;
  return unused;
}

static void* second(void* unused) {
  shared[1] = source;
  return unused;
}

int main(void) {
  together(first, second);
  assert(shared[0].values[2] == 3 && shared[1].values[1] == 2);
  return 0;
}
