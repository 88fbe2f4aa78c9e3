// putenv() beside getenv().
// EXPECT: bug data-race
// CFLAGS: -D_GNU_SOURCE
#include <stdlib.h>

#include "both.h"

static char text[] = "HEDDLE_TEST=1";
static char* found;

static void* work(void* sets) {
  if (sets) putenv(text);
  else found = getenv("HEDDLE_TEST");
  return 0;
}

int main(void) {
  both(work, text, 0);
  return 0;
}
