// --observe-output: the order of what is printed counts.
// EXPECT: verified
// OPTIONS: --observe-output
// EXECUTIONS: optimal=3
#include <stdio.h>

#include "both.h"

static void* print(void* name) {
  puts(name);
  return 0;
}

int main(void) {
  both(print, "a", "b");
  return 0;
}
