// Variables that nobody sets may be looked up by all.
// EXPECT: verified
// EXECUTIONS: optimal=1
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "both.h"

static void* look(void* unused) {
  assert(strcmp(getenv("HEDDLE_TEST"), "1") == 0);
  return unused;
}

int main(void) {
  setenv("HEDDLE_TEST", "1", 1);
  both(look, 0, 0);
  return 0;
}
