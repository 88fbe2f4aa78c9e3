// setitimer may block or start something that nobody can schedule: refused by name and place.
// EXPECT: unsupported
// MESSAGE: (?s)\bsetitimer\b.*unsupported_setitimer\.c:\d+
#define _GNU_SOURCE
#include <sys/time.h>

int main(void) {
  struct itimerval soon = {.it_value = {.tv_usec = 1000}};
  return setitimer(ITIMER_REAL, &soon, 0);
}
