// Sixty-four threads besides main that never meet: one trace.
// EXPECT: verified
// EXECUTIONS: optimal=1
#include <assert.h>
#include <pthread.h>

enum { kThreads = 64 };
static int value[kThreads];

static void* work(void* argument) {
  *(int*)argument += 1;
  return 0;
}

int main(void) {
  pthread_t t[kThreads];
  for (int i = 0; i < kThreads; i++) assert(pthread_create(&t[i], 0, work, &value[i]) == 0);
  for (int i = 0; i < kThreads; i++) assert(pthread_join(t[i], 0) == 0);
  for (int i = 0; i < kThreads; i++) assert(value[i] == 1);
  return 0;
}
