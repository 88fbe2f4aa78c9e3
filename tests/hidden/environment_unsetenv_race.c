// unsetenv() moves the variables that others look through.
// EXPECT: bug data-race
// CFLAGS: -D_GNU_SOURCE
#include <stdlib.h>

#include "both.h"

static char* found;

static void* work(void* removes) {
  if (removes) unsetenv("HEDDLE_TEST");
  else found = secure_getenv("HOME");
  return 0;
}

int main(void) {
  setenv("HEDDLE_TEST", "1", 1);
  both(work, "1", 0);
  return 0;
}
