// A loop without a visible operation that never ends, in one order of two: reported, and the tool goes on.
// EXPECT: bug livelock
// OPTIONS: --hang-timeout=0.5
// TIMEOUT: 30
// LOCATION: HERE
#include <pthread.h>
#include <stdatomic.h>

static atomic_int set;

static void* setter(void* unused) {
  atomic_store(&set, 1);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, setter, 0);
  if (atomic_load(&set)) {
    for (volatile unsigned i = 0;; i++) {  // HERE
    }
  }
  pthread_join(t, 0);
  return 0;
}
