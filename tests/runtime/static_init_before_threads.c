// What main writes before it creates a thread is ordered before it, through any number of generations.
// EXPECT: verified
#include <assert.h>
#include <pthread.h>

static int value;

static void* grandchild(void* unused) {
  assert(value == 1);
  return unused;
}

static void* child(void* unused) {
  pthread_t t;
  pthread_create(&t, 0, grandchild, 0);
  pthread_join(t, 0);
  return unused;
}

int main(void) {
  pthread_t a, b;
  value = 1;
  pthread_create(&a, 0, child, 0);
  pthread_create(&b, 0, child, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  value = 2;
  return 0;
}
