// ppoll may block or start something that nobody can schedule: refused by name and place.
// EXPECT: unsupported
// MESSAGE: (?s)\bppoll\b.*unsupported_ppoll\.c:\d+
#define _GNU_SOURCE
#include <poll.h>

int main(void) {
  struct pollfd none = {.fd = -1};
  return ppoll(&none, 1, 0, 0);
}
