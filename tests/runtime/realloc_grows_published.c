// What realloc adds to a block is written by nobody: another thread may be the first, and only the part that was copied is the
// maker's.
// EXPECT: verified
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(char*) shared;

static void* maker(void* unused) {
  atomic_store_explicit(&shared, realloc(malloc(8), 64), memory_order_relaxed);
  return unused;
}

static void* writer(void* unused) {
  char* block = atomic_load_explicit(&shared, memory_order_relaxed);
  if (block) block[8] = 1;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, maker, 0);
  pthread_create(&b, 0, writer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
