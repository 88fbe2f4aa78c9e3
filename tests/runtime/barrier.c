// All wait for all; exactly one is told that it is the serial thread; the barrier can be used again.
// EXPECT: verified
#include <assert.h>

#include "together.h"

static pthread_barrier_t barrier;
static int a, b, serial[2];

static void meet(int* serial_count, int* mine, const int* other) {
  for (int round = 1; round <= 2; round++) {
    *mine = round;
    int result = pthread_barrier_wait(&barrier);
    assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
    *serial_count += result == PTHREAD_BARRIER_SERIAL_THREAD;
    assert(*other == round);
    pthread_barrier_wait(&barrier);
  }
}

static void* first(void* unused) {
  meet(&serial[0], &a, &b);
  return unused;
}

static void* second(void* unused) {
  meet(&serial[1], &b, &a);
  return unused;
}

int main(void) {
  assert(pthread_barrier_init(&barrier, 0, 2) == 0);
  together(first, second);
  assert(serial[0] + serial[1] == 2);
  assert(pthread_barrier_destroy(&barrier) == 0);
  return 0;
}
