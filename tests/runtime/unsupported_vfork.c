// vfork may block or start something that nobody can schedule: refused by name and place.
// EXPECT: unsupported
// MESSAGE: (?s)\bvfork\b.*unsupported_vfork\.c:\d+
#define _GNU_SOURCE
#include <unistd.h>

int main(void) {
  if (vfork() == 0) _exit(0);
  return 0;
}
