// Waiting for a flag that nobody sets.
// EXPECT: bug livelock
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag, other;  // not static: clang would know that nobody sets it

static void* setter(void* unused) {
  atomic_store(&other, 1);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, setter, 0);
  while (!atomic_load(&flag)) {
  }
  pthread_join(t, 0);
  return 0;
}
