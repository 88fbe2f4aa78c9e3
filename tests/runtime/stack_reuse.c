// Threads one after another may get the same stack: no race between their locals.
// EXPECT: verified
#include <pthread.h>

static void* work(void* unused) {
  volatile int local[100];
  for (int i = 0; i < 100; i++) local[i] = i;
  return unused;
}

int main(void) {
  for (int i = 0; i < 3; i++) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
  }
  return 0;
}
