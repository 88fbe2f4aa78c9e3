// Exchanges that succeed only read their operand, which both threads share; what fails writes its own.
// EXPECT: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int mine[2], shared;
static int zero;

static void* exchange(void* index) {
  atomic_int* own = &mine[(long)index];
  assert(atomic_compare_exchange_strong(own, &zero, 1));
  for (int now = 0; !atomic_compare_exchange_strong(&shared, &now, now + 1);) continue;
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, exchange, (void*)0);
  pthread_create(&b, 0, exchange, (void*)1);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(shared == 2 && zero == 0);
  return 0;
}
