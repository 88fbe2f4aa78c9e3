// lastzero(N): thread 0 looks for the last zero of an array from its end, thread j sets array[j] from array[j-1].
// (N + 3) * 2^(N-2) traces.
// EXPECT: verified
// EXECUTIONS: optimal=64
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { N = 5 };
static atomic_int array[N + 1];

static void* search(void* unused) {
  int i = N;
  while (atomic_load(&array[i]) != 0) i--;
  return unused;
}

static void* set(void* argument) {
  long j = (long)argument;
  atomic_store(&array[j], atomic_load(&array[j - 1]) + 1);
  return 0;
}

int main(void) {
  pthread_t t[N + 1];
  pthread_create(&t[0], 0, search, 0);
  for (long j = 1; j <= N; j++) pthread_create(&t[j], 0, set, (void*)j);
  for (int j = 0; j <= N; j++) pthread_join(t[j], 0);
  return 0;
}
