// fork may block or start something that nobody can schedule: refused by name and place.
// EXPECT: unsupported
// MESSAGE: (?s)\bfork\b.*unsupported_fork\.c:\d+
#define _GNU_SOURCE
#include <unistd.h>

int main(void) {
  return fork() == 0;
}
