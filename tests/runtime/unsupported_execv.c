// execv may block or start something that nobody can schedule: refused by name and place.
// EXPECT: unsupported
// MESSAGE: (?s)\bexecv\b.*unsupported_execv\.c:\d+
#define _GNU_SOURCE
#include <unistd.h>

int main(void) {
  char* arguments[] = {"true", 0};
  return execv("/bin/true", arguments);
}
