// Waiting for a flag with sched_yield.
// EXPECT: verified
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
  while (!atomic_load(&flag)) sched_yield();
  pthread_join(t, 0);
  return 0;
}
