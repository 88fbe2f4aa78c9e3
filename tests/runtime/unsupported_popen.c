// popen may block or start something that nobody can schedule: refused by name and place.
// EXPECT: unsupported
// MESSAGE: (?s)\bpopen\b.*unsupported_popen\.c:\d+
#define _GNU_SOURCE
#include <stdio.h>

int main(void) {
  FILE* out = popen("true", "r");
  return pclose(out);
}
