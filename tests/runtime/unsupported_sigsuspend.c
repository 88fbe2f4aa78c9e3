// sigsuspend may block or start something that nobody can schedule: refused by name and place.
// EXPECT: unsupported
// MESSAGE: (?s)\bsigsuspend\b.*unsupported_sigsuspend\.c:\d+
#define _GNU_SOURCE
#include <signal.h>

int main(void) {
  sigset_t none;
  sigemptyset(&none);
  return sigsuspend(&none);
}
