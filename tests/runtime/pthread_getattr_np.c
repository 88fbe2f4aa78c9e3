// A thread's own attributes name a stack that its locals lie in.
// EXPECT: verified
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static void* work(void* unused) {
  pthread_attr_t attr;
  void* base;
  size_t size;
  char local;
  assert(pthread_getattr_np(pthread_self(), &attr) == 0);
  assert(pthread_attr_getstack(&attr, &base, &size) == 0);
  assert((char*)base <= &local && &local < (char*)base + size);
  pthread_attr_destroy(&attr);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  return 0;
}
