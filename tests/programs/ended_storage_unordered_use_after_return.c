// A thread-local variable is written by another thread, and nothing says that its own thread waits for that.
// EXPECT: bug use-after-return
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Thread_local long variable[4];
static _Atomic(long*) pointer;

static void* owner(void* unused) {
  pointer = variable;
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, owner, 0);
  long* p = pointer;
  if (p != NULL) p[3] = 1;
  pthread_join(a, 0);
  return 0;
}
