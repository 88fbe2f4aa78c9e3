// The bug comes after two thousand steps: nothing may cut a run short and still call it fine.
// EXPECT: bug assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x;

static void* increment(void* unused) {
  atomic_store(&x, atomic_load(&x) + 1);
  return unused;
}

int main(void) {
  for (int i = 0; i < 1000; i++) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
  }
  pthread_t a, b;
  pthread_create(&a, 0, increment, 0);
  pthread_create(&b, 0, increment, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
  return 0;
}
