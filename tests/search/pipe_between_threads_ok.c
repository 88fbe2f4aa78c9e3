// A pipe is no part of memory, so that states cannot be told apart by it.
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int x;
static int ends[2];

static void* increments(void* unused) {
  for (int i = 0; i < 3; ++i) {
    int seen = atomic_load(&x);
    atomic_store(&x, seen + 1);
  }
  if (write(ends[1], "x", 1) != 1) return &x;
  return unused;
}

int main(void) {
  pthread_t one, two;
  if (pipe(ends) != 0) return 1;
  pthread_create(&one, 0, increments, 0);
  pthread_create(&two, 0, increments, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
}
