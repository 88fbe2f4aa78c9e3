// A thread's name is kept.
// EXPECT: verified
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <string.h>

static void* work(void* unused) {
  char name[16];
  assert(pthread_setname_np(pthread_self(), "weaver") == 0);
  assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0);
  assert(strcmp(name, "weaver") == 0);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  return 0;
}
