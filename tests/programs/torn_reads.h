// A reader that sees a writer in the middle. The writer must be left after its first step and the reader go on, so that the reader has to be
// left before: two preemptions, and no fewer.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void* reader(void* unused) {
  const int first = atomic_load(&x);
  const int second = atomic_load(&x);
  assert(!(first == 0 && second == 1));
  return unused;
}

static void* writer(void* unused) {
  atomic_store(&x, 1);
  atomic_store(&x, 2);
  return unused;
}

int main(void) {
  pthread_t r, w;
  pthread_create(&r, 0, reader, 0);
  pthread_create(&w, 0, writer, 0);
  pthread_join(r, 0);
  pthread_join(w, 0);
  return 0;
}
