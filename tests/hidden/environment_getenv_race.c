// One thread sets a variable while another looks one up.
// EXPECT: bug data-race
// MESSAGE: the environment: .*getenv\(\)
#include <stdlib.h>

#include "both.h"

static char* found;

static void* work(void* value) {
  if (value) setenv("HEDDLE_TEST", value, 1);
  else found = getenv("HOME");
  return 0;
}

int main(void) {
  both(work, "1", 0);
  return 0;
}
