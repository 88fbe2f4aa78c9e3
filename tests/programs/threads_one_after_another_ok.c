// Two hundred threads, one at a time.
// EXPECT: verified
// SKIP: a run may create at most 126 threads, also where they never live at the same time
#include <assert.h>
#include <pthread.h>

static int count;

static void* add(void* unused) {
  ++count;
  return unused;
}

int main(void) {
  for (int i = 0; i < 200; ++i) {
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    pthread_join(t, 0);
  }
  assert(count == 200);
  return 0;
}
