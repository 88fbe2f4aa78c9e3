// Waiting for a flag with a counter of its own: the loop never comes back to the same state, so only a bound ends it. A reduction
// covers the bound too.
// EXPECT: within-bound
// OPTIONS: --max-steps=60
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int flag;

static void* setter(void* unused) {
  atomic_store(&flag, 1);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, setter, 0);
  for (volatile int spins = 0; !atomic_load(&flag); spins++) sched_yield();
  pthread_join(t, 0);
  return 0;
}
