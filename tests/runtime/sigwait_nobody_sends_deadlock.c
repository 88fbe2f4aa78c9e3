// Everybody waits, and nobody sends the signal.
// EXPECT: bug deadlock
// LOCATION: HERE
#include <pthread.h>
#include <signal.h>

static void* handle(void* unused) {
  sigset_t set;
  int number;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &set, 0);
  sigwait(&set, &number);  // HERE
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, handle, 0);
  pthread_join(t, 0);
  return 0;
}
