// A thread-local variable is written by another thread while its own thread waits.
// EXPECT: verified
#include <pthread.h>

static _Thread_local int variable;

static void* user(void* pointer) {
  *(int*)pointer += 1;
  return 0;
}

static void* owner(void* unused) {
  pthread_t b;
  variable = 1;
  pthread_create(&b, 0, user, &variable);
  pthread_join(b, 0);
  return variable == 2 ? unused : &variable;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, owner, 0);
  pthread_join(a, 0);
  return 0;
}
