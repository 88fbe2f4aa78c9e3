// An exchange of eight bytes beside a store to four of them: nobody can say what it would find in the other order.
// EXPECT: bug assertion
// LOCATION: HERE
#include <assert.h>
#include <pthread.h>

static union {
  unsigned long whole;
  unsigned half[2];
} value;

static void* attempt(void* unused) {
  unsigned long wanted = 5;
  __atomic_compare_exchange_n(&value.whole, &wanted, 6, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, attempt, 0);
  pthread_create(&b, 0, attempt, 0);
  __atomic_store_n(&value.half[0], 5, __ATOMIC_SEQ_CST);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(value.whole != 6);  // HERE
  return 0;
}
