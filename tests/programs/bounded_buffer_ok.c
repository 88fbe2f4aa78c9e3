// The same with `while`: every item arrives once.
// EXPECT: verified
#define SLOTS 1
#define WAIT(condition) while (condition)
#include "bounded_buffer.h"

static int sum;

static void* consume(void* unused) {
  int item = get();
  __atomic_fetch_add(&sum, item, __ATOMIC_RELAXED);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, consume, 0);
  pthread_create(&b, 0, consume, 0);
  put(1);
  put(2);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(__atomic_load_n(&sum, __ATOMIC_RELAXED) == 3);
  return 0;
}
