// A signal that the program raises itself runs its handler, in the same thread, before raise returns.
// EXPECT: verified
#include <assert.h>
#include <signal.h>

static volatile sig_atomic_t seen;

static void handler(int number) { seen = number; }

int main(void) {
  struct sigaction action = {.sa_handler = handler}, old;
  assert(sigaction(SIGUSR1, &action, &old) == 0);
  assert(raise(SIGUSR1) == 0);
  assert(seen == SIGUSR1);
  assert(signal(SIGUSR1, SIG_IGN) == handler);
  raise(SIGUSR1);
  return 0;
}
