// What a thread did before it wrote to a pipe happens before what another does after reading from it.
// EXPECT: verified
// OPTIONS: --executor=auto
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2], data;

static void* writer(void* unused) {
  data = 1;
  assert(write(ends[1], "x", 1) == 1);
  return unused;
}

int main(void) {
  char byte;
  pthread_t t;
  assert(pipe(ends) == 0);
  pthread_create(&t, 0, writer, 0);
  assert(read(ends[0], &byte, 1) == 1);
  assert(data == 1);
  pthread_join(t, 0);
  return 0;
}
