// epoll_pwait may block or start something that nobody can schedule: refused by name and place.
// EXPECT: unsupported
// OPTIONS: --executor=auto
// MESSAGE: (?s)\bepoll_pwait\b.*unsupported_epoll_pwait\.c:\d+
#define _GNU_SOURCE
#include <sys/epoll.h>

int main(void) {
  struct epoll_event event;
  return epoll_pwait(epoll_create1(0), &event, 1, -1, 0);
}
