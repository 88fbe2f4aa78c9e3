// Waiting for a flag by spinning.
// EXPECT: verified
// EXECUTIONS: optimal=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int data;

static void* setter(void* unused) {
  data = 42;
  atomic_store(&flag, 1);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, setter, 0);
  while (!atomic_load(&flag)) {
  }
  assert(data == 42);
  pthread_join(t, 0);
  return 0;
}
