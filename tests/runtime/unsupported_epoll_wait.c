// epoll_wait may block or start something that nobody can schedule: refused by name and place.
// EXPECT: unsupported
// OPTIONS: --executor=auto
// MESSAGE: (?s)\bepoll_wait\b.*unsupported_epoll_wait\.c:\d+
#define _GNU_SOURCE
#include <sys/epoll.h>

int main(void) {
  struct epoll_event event;
  int set = epoll_create1(0);
  return epoll_wait(set, &event, 1, -1) < 0;
}
