// A struct is written while another thread reads it word by word, and sees the first word new and the last one still old.
// EXPECT: bug assertion|data-race
// OPTIONS: --races=explore --stop-at all
// MESSAGE: assertion
#include <assert.h>
#include <pthread.h>

struct quad {
  long word[4];
};
static struct quad shared;
static volatile long zero;

static void* write_all(void* unused) {
  struct quad local = {{zero + 1, zero + 1, zero + 1, zero + 1}};
  shared = local;
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, write_all, 0);
  long last = shared.word[3], first = shared.word[0];
  assert(!(first == 1 && last == 0 && shared.word[3] == 0));
  pthread_join(a, 0);
  return 0;
}
