// Threads allocate and free at the same time, and free what others allocated.
// EXPECT: verified
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void* make(void* size) {
  char* block = malloc((size_t)size);
  memset(block, 1, (size_t)size);
  return block;
}

int main(void) {
  pthread_t a, b;
  void *x, *y;
  pthread_create(&a, 0, make, (void*)10);
  pthread_create(&b, 0, make, (void*)20000);
  pthread_join(a, &x);
  pthread_join(b, &y);
  assert(((char*)x)[9] == 1 && ((char*)y)[19999] == 1);
  free(x);
  free(y);
  return 0;
}
