// One writer and N readers of an atomic: each reader comes before or after the write, 2^N traces.
// EXPECT: verified
// EXECUTIONS: optimal=32
#include <pthread.h>
#include <stdatomic.h>

enum { N = 5 };
static atomic_int x;

static void* reader(void* unused) {
  (void)atomic_load(&x);
  return unused;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, reader, 0);
  atomic_store(&x, 1);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  return 0;
}
