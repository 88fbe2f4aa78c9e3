// p: x=1; x=2 and q: y=1; x=3. Only where x=3 falls matters: three traces.
// EXPECT: verified
// EXECUTIONS: optimal=3
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;  // not static: clang drops stores to what nobody reads

static void* p(void* unused) {
  atomic_store(&x, 1);
  atomic_store(&x, 2);
  return unused;
}

static void* q(void* unused) {
  atomic_store(&y, 1);
  atomic_store(&x, 3);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, p, 0);
  pthread_create(&b, 0, q, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
