// A local variable handed to two threads.
// EXPECT: bug data-race
// LOCATION: HERE
#include <pthread.h>

static void* work(void* counter) {
  ++*(int*)counter;  // HERE
  return 0;
}

int main(void) {
  int counter = 0;
  pthread_t a, b;
  pthread_create(&a, 0, work, &counter);
  pthread_create(&b, 0, work, &counter);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
