// Two threads that never end: every execution is cut by --max-steps, and nothing is wrong within any bound.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void* write_on(void* unused) {
  for (;;) atomic_fetch_add(&x, 1);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, write_on, 0);
  pthread_create(&second, 0, write_on, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
}
