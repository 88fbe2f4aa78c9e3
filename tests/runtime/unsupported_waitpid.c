// waitpid may block or start something that nobody can schedule: refused by name and place.
// EXPECT: unsupported
// MESSAGE: (?s)\bwaitpid\b.*unsupported_waitpid\.c:\d+
#define _GNU_SOURCE
#include <sys/wait.h>

int main(void) {
  int status;
  return (int)waitpid(-1, &status, 0);
}
