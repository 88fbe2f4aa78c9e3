// A ticket lock for three threads: 3! orders, each with what a thread may see of the others while it waits.
// EXPECT: verified
// EXECUTIONS: optimal=60
#include <pthread.h>
#include <stdatomic.h>

enum { T = 3 };
static atomic_int next_ticket, now_serving;
static int counter;

static void* work(void* unused) {
  int mine = atomic_fetch_add(&next_ticket, 1);
  while (atomic_load(&now_serving) != mine) {
  }
  counter++;
  atomic_store(&now_serving, mine + 1);
  return unused;
}

int main(void) {
  pthread_t t[T];
  for (int i = 0; i < T; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < T; i++) pthread_join(t[i], 0);
  return counter != T;
}
