// A pointer that another thread sets to null between the check and the use.
// EXPECT: bug crash
// LOCATION: HERE
#include <pthread.h>
#include <stdatomic.h>

static int value = 7;
static int* _Atomic shared = &value;

static void* reset(void* unused) {
  atomic_store(&shared, (int*)0);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, reset, 0);
  volatile int seen = 0;
  if (atomic_load(&shared)) seen = *(volatile int*)atomic_load(&shared);  // HERE
  pthread_join(t, 0);
  return seen == 1000;
}
