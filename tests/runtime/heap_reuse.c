// Where memory is short, a thread gets blocks again that it has freed: nothing of their former life is left.
// EXPECT: verified
// ORACLE: none malloc of the system need not return the same block
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static int* block;

static void* work(void* unused) {
  *block += 1;
  return unused;
}

static void use_in_thread(void) {
  pthread_t t;
  *block = 1;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  assert(*block == 2);
}

int main(void) {
  for (int i = 0; i < 300; i++) {
    void* volatile never_touched = malloc(1 << 20);
    assert(never_touched);
  }
  block = malloc(sizeof *block);
  volatile uintptr_t former = (uintptr_t)block;
  use_in_thread();
  free(block);
  block = malloc(sizeof *block);
  assert((uintptr_t)block == former);
  use_in_thread();
  free(block);
  return 0;
}
