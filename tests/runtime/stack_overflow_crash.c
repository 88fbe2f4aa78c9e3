// Recursion without end in a thread.
// EXPECT: bug crash
#include <pthread.h>

static volatile int depth;

static int recurse(volatile char* from) {
  volatile char frame[4096];
  frame[0] = from[0];
  depth++;
  int below = recurse(frame);
  return frame[0] + below;
}

static void* work(void* unused) {
  volatile char first = 1;
  recurse(&first);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  return 0;
}
