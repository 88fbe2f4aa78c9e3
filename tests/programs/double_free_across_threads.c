// Both threads find the pointer and free it.
// EXPECT: bug double-free
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(char*) shared;

static void* drop(void* unused) {
  char* mine = atomic_load(&shared);
  if (mine) {
    atomic_store(&shared, (char*)0);
    free(mine);
  }
  return unused;
}

int main(void) {
  atomic_store(&shared, (char*)malloc(8));
  pthread_t a, b;
  pthread_create(&a, 0, drop, 0);
  pthread_create(&b, 0, drop, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
