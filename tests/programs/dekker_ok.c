// Dekker's lock, the first one: who has not the turn steps back and waits for it.
// EXPECT: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int inside;

static void* work(void* argument) {
  int me = (int)(long)argument, other = 1 - me;
  atomic_store(&wants[me], 1);
  while (atomic_load(&wants[other])) {
    if (atomic_load(&turn) == me) continue;
    atomic_store(&wants[me], 0);
    while (atomic_load(&turn) != me) {
    }
    atomic_store(&wants[me], 1);
  }
  assert(++inside == 1);
  --inside;
  atomic_store(&turn, other);
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
