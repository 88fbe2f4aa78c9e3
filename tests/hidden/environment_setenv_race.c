// Two threads set a variable.
// EXPECT: bug data-race
// MESSAGE: the environment: setenv\(\) by thread \d and setenv\(\) by thread \d
#include <stdlib.h>

#include "both.h"

static void* set(void* value) {
  setenv("HEDDLE_TEST", value, 1);
  return 0;
}

int main(void) {
  both(set, "1", "2");
  return getenv("HEDDLE_TEST") == 0;
}
