// execve may block or start something that nobody can schedule: refused by name and place.
// EXPECT: unsupported
// MESSAGE: (?s)\bexecve\b.*unsupported_execve\.c:\d+
#define _GNU_SOURCE
#include <unistd.h>

int main(void) {
  char *arguments[] = {"true", 0}, *environment[] = {0};
  return execve("/bin/true", arguments, environment);
}
