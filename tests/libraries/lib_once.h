// A library calls a function of the program once, whoever comes first.
#include <assert.h>
#include <pthread.h>
void lib_once(void (*function)(void));
#ifdef LIBRARY
static pthread_once_t once = PTHREAD_ONCE_INIT;
void lib_once(void (*function)(void)) { pthread_once(&once, function); }
#else
static int calls;
static pthread_t caller;
static void called(void) {
  ++calls;
  caller = pthread_self();
}
static void* call(void* unused) {
  lib_once(called);
  assert(calls == 1);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, call, 0);
  call(0);
  pthread_join(t, 0);
  CHECK;
  return 0;
}
#endif
