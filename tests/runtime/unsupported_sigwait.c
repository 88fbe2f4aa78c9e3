// sigwait may block or start something that nobody can schedule: refused by name and place.
// EXPECT: unsupported
// MESSAGE: (?s)\bsigwait\b.*unsupported_sigwait\.c:\d+
#define _GNU_SOURCE
#include <signal.h>

int main(void) {
  sigset_t set;
  int number;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, 0);
  return sigwait(&set, &number);
}
