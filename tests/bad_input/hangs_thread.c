// The same in another thread, while main waits for it.
// EXPECT: bug livelock
// OPTIONS: --hang-timeout=0.5
// TIMEOUT: 30
#include <pthread.h>

static void* spin(void* unused) {
  for (volatile unsigned i = 0;; i++) {
  }
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, spin, 0);
  pthread_join(t, 0);
  return 0;
}
