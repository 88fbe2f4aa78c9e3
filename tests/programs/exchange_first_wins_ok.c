// Four threads want to be the first. Who it is makes four traces: the others' exchanges fail, and only read.
// EXPECT: verified
// EXECUTIONS: optimal=4
// EXECUTIONS: source=4
// EXECUTIONS: dpor=4
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum { N = 4 };
static atomic_int winner;

static void* run(void* number) {
  int nobody = 0;
  atomic_compare_exchange_strong(&winner, &nobody, (int)(intptr_t)number);
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (intptr_t i = 0; i < N; ++i) pthread_create(&threads[i], 0, run, (void*)(i + 1));
  for (int i = 0; i < N; ++i) pthread_join(threads[i], 0);
  return 0;
}
