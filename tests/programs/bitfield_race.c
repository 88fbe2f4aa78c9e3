// Two bit-fields of one byte are one memory location: setting them from two threads races.
// (Not static: the compiler would drop stores that nobody reads.)
// EXPECT: bug data-race
#include <pthread.h>

struct {
  unsigned ready : 1;
  unsigned done : 1;
} flags;

static void* set_ready(void* unused) {
  flags.ready = 1;
  return unused;
}
static void* set_done(void* unused) {
  flags.done = 1;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, set_ready, 0);
  pthread_create(&b, 0, set_done, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
