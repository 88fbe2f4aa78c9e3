// What the creator does after pthread_create is not ordered with the thread.
// (Not static: the compiler would drop stores that nobody reads.)
// EXPECT: bug data-race
// LOCATION: HERE
// LOCATION: THERE
#include <pthread.h>

int x;

static void* work(void* unused) {
  x = 1;  // HERE
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  x = 2;  // THERE
  pthread_join(t, 0);
  return 0;
}
