// The same with a mistake that shows where one thread has written five times before the other writes for the second time.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void* write_on(void* unused) {
  for (int n = 1;; ++n) {
    const int before = atomic_fetch_add(&x, 1);
    assert(n != 2 || before != 6);
  }
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, write_on, 0);
  pthread_create(&second, 0, write_on, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
}
