// A program that kills itself with a signal nobody can catch, in one order of two.
// EXPECT: bug crash
// MESSAGE: SIGKILL|signal 9
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static atomic_int set;

static void* setter(void* unused) {
  atomic_store(&set, 1);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, setter, 0);
  if (atomic_load(&set)) raise(SIGKILL);
  pthread_join(t, 0);
  return 0;
}
