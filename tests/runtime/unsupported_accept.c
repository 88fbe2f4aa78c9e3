// accept may block or start something that nobody can schedule: refused by name and place.
// EXPECT: unsupported
// OPTIONS: --executor=auto
// MESSAGE: (?s)\baccept\b.*unsupported_accept\.c:\d+
#define _GNU_SOURCE
#include <sys/socket.h>
#include <netinet/in.h>

int main(void) {
  int s = socket(AF_INET, SOCK_STREAM, 0);
  listen(s, 1);
  return accept(s, 0, 0) < 0;
}
