// kill may block or start something that nobody can schedule: refused by name and place.
// EXPECT: unsupported
// MESSAGE: (?s)\bkill\b.*unsupported_kill\.c:\d+
#define _GNU_SOURCE
#include <signal.h>

int main(void) {
  return kill(1, 0);  // of another process
}
