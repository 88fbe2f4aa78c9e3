// A plain write decides whether an exchange succeeds, and a failed one lets the program go on in another way.
// EXPECT: bug assertion|data-race
// OPTIONS: --races=explore --stop-at all
// MESSAGE: assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int flag;
static atomic_int failed;

static void* attempt(void* unused) {
  int wanted = 0;
  failed += !__atomic_compare_exchange_n(&flag, &wanted, 2, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, attempt, 0);
  pthread_create(&b, 0, attempt, 0);
  flag = 1;
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(failed != 2);
  return 0;
}
