// poll may block or start something that nobody can schedule: refused by name and place.
// EXPECT: unsupported
// OPTIONS: --executor=auto
// MESSAGE: (?s)\bpoll\b.*unsupported_poll\.c:\d+
#define _GNU_SOURCE
#include <poll.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  if (pipe(ends)) return 1;
  struct pollfd entry = {ends[0], POLLIN, 0};
  return poll(&entry, 1, -1) < 0;
}
