// posix_spawnp may block or start something that nobody can schedule: refused by name and place.
// EXPECT: unsupported
// MESSAGE: (?s)\bposix_spawnp\b.*unsupported_posix_spawnp\.c:\d+
#define _GNU_SOURCE
#include <spawn.h>

int main(void) {
  char *arguments[] = {"true", 0}, *environment[] = {0};
  pid_t child;
  return posix_spawnp(&child, "true", 0, 0, arguments, environment);
}
