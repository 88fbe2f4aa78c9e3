// A sleep orders nothing: the thread that sleeps longer may still come first.
// EXPECT: bug assertion
// TIMEOUT: 20
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int first_done;

static void* quick(void* unused) {
  atomic_store(&first_done, 1);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, quick, 0);
  sleep(100);
  assert(atomic_load(&first_done));
  pthread_join(t, 0);
  return 0;
}
