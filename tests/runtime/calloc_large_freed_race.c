// A large block of calloc is freed by another thread, without order.
// EXPECT: bug data-race
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(char*) shared;

static void* maker(void* unused) {
  atomic_store_explicit(&shared, calloc(1 << 20, 4), memory_order_relaxed);
  return unused;
}

static void* taker(void* unused) {
  free(atomic_exchange_explicit(&shared, 0, memory_order_relaxed));
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, maker, 0);
  pthread_create(&b, 0, taker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
