// A program that writes to a quarter of a gigabyte in every run, in two orders: slow is allowed, running out is not.
// EXPECT: verified
// TIMEOUT: 120
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* unused) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < 128; i++) {
    char* block = malloc(1 << 20);
    assert(block);
    memset(block, 1, 1 << 20);
  }
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  work(0);
  pthread_join(t, 0);
  return 0;
}
