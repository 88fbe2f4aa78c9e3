// system may block or start something that nobody can schedule: refused by name and place.
// EXPECT: unsupported
// MESSAGE: (?s)\bsystem\b.*unsupported_system\.c:\d+
#define _GNU_SOURCE
#include <stdlib.h>

int main(void) {
  return system("true");
}
