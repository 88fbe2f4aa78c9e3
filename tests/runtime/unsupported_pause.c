// pause may block or start something that nobody can schedule: refused by name and place.
// EXPECT: unsupported
// MESSAGE: (?s)\bpause\b.*unsupported_pause\.c:\d+
#define _GNU_SOURCE
#include <unistd.h>

int main(void) {
  return pause();
}
