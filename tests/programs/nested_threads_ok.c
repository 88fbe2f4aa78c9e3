// Threads create threads and join them: creation and join order everything.
// EXPECT: verified
#include <assert.h>
#include <pthread.h>

static int value;

static void* grandchild(void* unused) {
  value++;
  return unused;
}

static void* child(void* unused) {
  pthread_t t;
  value++;
  pthread_create(&t, 0, grandchild, 0);
  pthread_join(t, 0);
  value++;
  return unused;
}

int main(void) {
  pthread_t t;
  value = 1;
  pthread_create(&t, 0, child, 0);
  pthread_join(t, 0);
  assert(value == 4);
  return 0;
}
