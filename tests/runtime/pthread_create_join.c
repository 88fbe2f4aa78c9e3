// pthread_create hands over the argument, pthread_join the result; both order what happens before and after.
// EXPECT: verified
// EXECUTIONS: optimal=1
#include <assert.h>
#include <pthread.h>

static int before, inside;

static void* work(void* argument) {
  assert(before == 1 && argument == &before);
  inside = 2;
  return &inside;
}

int main(void) {
  pthread_t t;
  void* result;
  before = 1;
  assert(pthread_create(&t, 0, work, &before) == 0);
  assert(pthread_join(t, &result) == 0);
  assert(result == &inside && inside == 2);
  return 0;
}
