// A thread that does nothing but wait for signals, which all threads block: sent to the process and to the thread itself.
// EXPECT: verified
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static sigset_t set;
static int seen;

static void* handle(void* unused) {
  for (int number = 0; number != SIGUSR2;) {
    assert(sigwait(&set, &number) == 0);
    ++seen;
  }
  return unused;
}

int main(void) {
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &set, 0);
  pthread_t t;
  pthread_create(&t, 0, handle, 0);
  pthread_kill(t, SIGUSR1);
  pthread_kill(t, SIGUSR2);
  pthread_join(t, 0);
  assert(seen == 1 || seen == 2);  // pending signals are taken in the order of their numbers
  return 0;
}
