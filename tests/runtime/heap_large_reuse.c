// A thread that allocates and frees large blocks again and again stays within its memory; what it gets again is zero, and nobody
// takes it for freed.
// EXPECT: verified
// OPTIONS: --target-memory=2G
// TIMEOUT: 60
// ORACLE: none malloc of the system need not return zeros
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void* work(void* unused) {
  const size_t size[] = {3000, 70000, 1500000};
  for (int i = 0; i < 300; i++) {
    void* volatile never_touched = malloc(1 << 20);  // from here on memory is short
    assert(never_touched);
  }
  for (int i = 0; i < 30; i++) {
    void* volatile fresh = malloc(size[i % 3]);  // volatile: the compiler may assume anything about fresh memory
    char* block = fresh;
    assert(block && block[0] == 0 && block[size[i % 3] - 1] == 0);
    memset(block, 1, size[i % 3]);
    free(block);
  }
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  return 0;
}
