// alarm may block or start something that nobody can schedule: refused by name and place.
// EXPECT: unsupported
// MESSAGE: (?s)\balarm\b.*unsupported_alarm\.c:\d+
#define _GNU_SOURCE
#include <unistd.h>

int main(void) {
  return (int)alarm(1);
}
