// A blocked signal waits until it is let through; kill sends it to the process itself.
// EXPECT: verified
#include <assert.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t seen;

static void handler(int number) { seen = number; }

int main(void) {
  sigset_t set, old;
  signal(SIGUSR1, handler);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  assert(sigprocmask(SIG_BLOCK, &set, &old) == 0 && !sigismember(&old, SIGUSR1));
  assert(kill(getpid(), SIGUSR1) == 0 && seen == 0);
  assert(sigprocmask(SIG_SETMASK, &old, 0) == 0 && seen == SIGUSR1);
  assert(kill(getpid(), 0) == 0);
  return 0;
}
