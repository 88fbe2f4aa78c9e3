// Threads that create threads: who is created first depends on the schedule, and with it the number that a new process would give.
// All workers must mean the same thread by the same number.
#include <pthread.h>
#include <stdatomic.h>

enum { kParents = 3 };
static atomic_int x;

static void* child(void* value) {
  atomic_fetch_add(&x, (int)(long)value);
  atomic_store(&x, 3);
  return 0;
}

static void* parent(void* value) {
  pthread_t mine;
  atomic_fetch_add(&x, 1);
  pthread_create(&mine, 0, child, value);
  pthread_join(mine, 0);
  return 0;
}

int main(void) {
  pthread_t parents[kParents];
  for (long i = 0; i < kParents; ++i) pthread_create(&parents[i], 0, parent, (void*)i);
  for (int i = 0; i < kParents; ++i) pthread_join(parents[i], 0);
}
