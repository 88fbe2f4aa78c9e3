// A large block that is hardly touched costs what was touched, also when it is freed.
// EXPECT: verified
// TIMEOUT: 10
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void* work(void* unused) {
  size_t size = 1u << 30;
  char* p = malloc(size);
  if (!p) return unused;
  p[0] = p[size - 1] = 1;
  memset(p + 4096, 1, 1 << 16);
  free(p);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  return 0;
}
