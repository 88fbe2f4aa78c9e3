// One thread frees what another still uses. Depending on the order it is a race or a use after free.
// EXPECT: bug use-after-free|data-race
#include <pthread.h>
#include <stdlib.h>

static void* writer(void* p) {
  *(int*)p = 1;
  return 0;
}

static void* cleaner(void* p) {
  free(p);
  return 0;
}

int main(void) {
  int* p = malloc(sizeof *p);
  pthread_t a, b;
  pthread_create(&a, 0, writer, p);
  pthread_create(&b, 0, cleaner, p);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
