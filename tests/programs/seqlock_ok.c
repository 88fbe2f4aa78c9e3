// A sequence lock: the reader tries again while the writer is inside.
// EXPECT: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sequence, a, b;

static void* writer(void* unused) {
  atomic_fetch_add(&sequence, 1);
  atomic_store(&a, 1);
  atomic_store(&b, 1);
  atomic_fetch_add(&sequence, 1);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  int before, seen_a, seen_b;
  do {
    before = atomic_load(&sequence);
    seen_a = atomic_load(&a);
    seen_b = atomic_load(&b);
  } while (before % 2 || before != atomic_load(&sequence));
  assert(seen_a == seen_b);
  pthread_join(t, 0);
  return 0;
}
