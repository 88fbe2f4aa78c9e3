// Reads do not race with reads.
// EXPECT: verified
// EXECUTIONS: optimal=1
#include <assert.h>

#include "together.h"

static int shared = 7;

static void* reader(void* unused) {
  assert(shared == 7);
  return unused;
}

int main(void) {
  together(reader, reader);
  return 0;
}
