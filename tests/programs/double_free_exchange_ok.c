// Taking the pointer with an exchange leaves exactly one owner.
// EXPECT: verified
// EXECUTIONS: optimal=2
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(char*) shared;

static void* drop(void* unused) {
  free(atomic_exchange(&shared, (char*)0));
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
