// accept4 may block or start something that nobody can schedule: refused by name and place.
// EXPECT: unsupported
// OPTIONS: --executor=auto
// MESSAGE: (?s)\baccept4\b.*unsupported_accept4\.c:\d+
#define _GNU_SOURCE
#include <sys/socket.h>

int main(void) {
  int s = socket(AF_UNIX, SOCK_STREAM, 0);
  return accept4(s, 0, 0, 0);
}
