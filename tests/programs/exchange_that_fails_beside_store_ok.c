// Three exchanges that never succeed, beside one store: each comes before or after it, and that is all. 2^3 traces.
// EXPECT: verified
// EXECUTIONS: optimal=8
#include <pthread.h>
#include <stdatomic.h>

enum { N = 3 };
static atomic_short value;

static void* attempt(void* unused) {
  short wanted = 7;
  atomic_compare_exchange_strong(&value, &wanted, 8);
  return unused;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; ++i) pthread_create(&threads[i], 0, attempt, 0);
  atomic_store(&value, 1);
  for (int i = 0; i < N; ++i) pthread_join(threads[i], 0);
  return 0;
}
