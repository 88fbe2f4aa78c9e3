// Peterson's lock with sequentially consistent atomics.
// EXPECT: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int inside;

static void* work(void* argument) {
  int me = (int)(long)argument;
  atomic_store(&wants[me], 1);
  atomic_store(&turn, 1 - me);
  while (atomic_load(&wants[1 - me]) && atomic_load(&turn) == 1 - me) {
  }
  assert(++inside == 1);
  --inside;
  atomic_store(&wants[me], 0);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, (void*)0L);
  pthread_create(&b, 0, work, (void*)1L);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
