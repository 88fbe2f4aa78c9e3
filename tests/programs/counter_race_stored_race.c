// Two unordered increments, found by a search that stores states.
// EXPECT: bug data-race
// OPTIONS: --algorithm=dl-spor
// ONLY: rollback
#include <pthread.h>

static int x;

static void* increment(void* unused) {
  ++x;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, increment, 0);
  ++x;
  pthread_join(thread, 0);
}
