// What goes to standard output and error is not read back: its order makes no executions.
// EXPECT: verified
// EXECUTIONS: optimal=1
#include <stdio.h>
#include <unistd.h>

#include "both.h"

static void* print(void* name) {
  printf("%s\n", (char*)name);
  fprintf(stderr, "%s\n", (char*)name);
  puts(name);
  putchar('\n');
  return write(1, name, 1) == 1 ? 0 : name;
}

int main(void) {
  both(print, "a", "b");
  return 0;
}
