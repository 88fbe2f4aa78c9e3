// A large block of calloc costs nothing where it is not touched, and is everybody's after a join.
// EXPECT: verified
#include <pthread.h>
#include <stdlib.h>

static char* block;

static void* maker(void* unused) {
  block = calloc(1, 1L << 30);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, maker, 0);
  pthread_join(t, 0);
  int wrong = block[1 << 29] != 0 || block[5] != 0;
  block[1 << 29] = 1;
  free(block);
  return wrong;
}
