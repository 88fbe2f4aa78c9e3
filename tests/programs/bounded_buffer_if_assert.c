// `if` instead of `while`: between the signal and the wake-up another consumer takes the item.
// EXPECT: bug assertion
#define SLOTS 1
#define WAIT(condition) if (condition)
#include "bounded_buffer.h"

static void* consume(void* unused) {
  get();
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
  return 0;
}
