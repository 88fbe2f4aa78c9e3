// A pointer to a variable of a thread outlives the thread, in some orders.
// EXPECT: bug use-after-return
// LOCATION: HERE
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(int*) shared;

static void* owner(void* unused) {
  int variable = 0;
  shared = &variable;
  return unused;
}

static void* user(void* unused) {
  if (shared != NULL) *shared = 42;  // HERE
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, owner, 0);
  pthread_create(&b, 0, user, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
