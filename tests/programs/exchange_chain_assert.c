// Each exchange succeeds in one order only, and fails in the first one that is run.
// EXPECT: bug assertion
// LOCATION: HERE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum { N = 4 };
static atomic_long value;

static void* attempt(void* number) {
  long wanted = (intptr_t)number;
  atomic_compare_exchange_strong(&value, &wanted, wanted + 1);
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (intptr_t i = 0; i < N; ++i) pthread_create(&threads[i], 0, attempt, (void*)(N - 1 - i));
  for (int i = 0; i < N; ++i) pthread_join(threads[i], 0);
  assert(value != N);  // HERE
  return 0;
}
