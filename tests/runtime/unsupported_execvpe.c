// execvpe may block or start something that nobody can schedule: refused by name and place.
// EXPECT: unsupported
// MESSAGE: (?s)\bexecvpe\b.*unsupported_execvpe\.c:\d+
#define _GNU_SOURCE
#include <unistd.h>

int main(void) {
  char *arguments[] = {"true", 0}, *environment[] = {0};
  return execvpe("true", arguments, environment);
}
