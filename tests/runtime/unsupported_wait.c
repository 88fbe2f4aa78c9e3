// wait may block or start something that nobody can schedule: refused by name and place.
// EXPECT: unsupported
// MESSAGE: (?s)\bwait\b.*unsupported_wait\.c:\d+
#define _GNU_SOURCE
#include <sys/wait.h>

int main(void) {
  int status;
  return (int)wait(&status);
}
