// A pipe between threads: real I/O, for which the executor changes to fork by itself.
// EXPECT: verified
// OPTIONS: --executor=auto
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void* writer(void* unused) {
  assert(write(ends[1], "x", 1) == 1);
  return unused;
}

int main(void) {
  char byte = 0;
  pthread_t t;
  assert(pipe(ends) == 0);
  pthread_create(&t, 0, writer, 0);
  pthread_join(t, 0);
  assert(read(ends[0], &byte, 1) == 1 && byte == 'x');
  return 0;
}
