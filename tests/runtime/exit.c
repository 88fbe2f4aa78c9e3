// exit from a thread ends the program, wherever the others are, and runs the handlers in reverse order.
// EXPECT: verified
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int handlers;

static void first(void) { assert(handlers++ == 1); }
static void second(void) { assert(handlers++ == 0); }

static void* work(void* unused) {
  exit(0);
  return unused;
}

int main(void) {
  pthread_t t;
  assert(atexit(first) == 0 && atexit(second) == 0);
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  assert(!"not reached");
  return 0;
}
