// posix_spawn may block or start something that nobody can schedule: refused by name and place.
// EXPECT: unsupported
// MESSAGE: (?s)\bposix_spawn\b.*unsupported_posix_spawn\.c:\d+
#define _GNU_SOURCE
#include <spawn.h>
#include <stdio.h>

int main(void) {
  char* arguments[] = {"true", 0};
  pid_t child;
  return posix_spawn(&child, "/bin/true", 0, 0, arguments, 0);
}
