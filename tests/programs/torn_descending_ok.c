// The words of a copy are taken in ascending order, and the reader begins with the last one: it cannot see that one new and the
// first one old.
// EXPECT: bug data-race
// OPTIONS: --races=explore --stop-at all
#include <assert.h>
#include <pthread.h>
#include <string.h>

static long source[4] = {1, 1, 1, 1}, shared[4];

static void* write_all(void* unused) {
  memcpy(shared, source, sizeof shared);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, write_all, 0);
  long last = shared[3], first = shared[0];
  assert(!(first == 0 && last == 1));
  pthread_join(a, 0);
  return 0;
}
