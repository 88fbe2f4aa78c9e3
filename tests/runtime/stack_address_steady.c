// Randomness from an address that differs between runs would be nondeterminism; the runtime fixes the layout instead.
// EXPECT: verified
#include <pthread.h>
#include <stdint.h>

static void* work(void* unused) { return unused; }

int main(void) {
  int local;
  if ((uintptr_t)&local / 4096 % 2) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
  }
  return 0;
}
