// Every atomic operation on TYPE: its result, and that two threads doing it never lose or race.
#include <assert.h>
#include <stdatomic.h>

#include "together.h"

static _Atomic(TYPE) a;
static TYPE plain;

static void every_operation(void) {
  TYPE expected;
  atomic_init(&a, (TYPE)5);
  assert(atomic_load(&a) == 5);
  atomic_store(&a, (TYPE)6);
  assert(atomic_exchange(&a, (TYPE)7) == 6);
  assert(atomic_fetch_add(&a, (TYPE)3) == 7);
  assert(atomic_fetch_sub(&a, (TYPE)4) == 10);
  assert(atomic_fetch_or(&a, (TYPE)9) == 6);
  assert(atomic_fetch_and(&a, (TYPE)12) == 15);
  assert(atomic_fetch_xor(&a, (TYPE)5) == 12);
  assert(atomic_load_explicit(&a, memory_order_acquire) == 9);
  expected = 9;
  assert(atomic_compare_exchange_strong(&a, &expected, (TYPE)20) && expected == 9);
  assert(!atomic_compare_exchange_strong(&a, &expected, (TYPE)30) && expected == 20);
  assert(atomic_compare_exchange_weak(&a, &expected, (TYPE)40));
  assert(__atomic_fetch_nand((TYPE*)&plain, (TYPE)3, __ATOMIC_SEQ_CST) == 0);
  assert(plain == (TYPE)~(TYPE)0);
  atomic_store_explicit(&a, (TYPE)0, memory_order_release);
}

static void* add(void* unused) {
  atomic_fetch_add_explicit(&a, (TYPE)1, memory_order_relaxed);
  return unused;
}

static void* add_by_exchange(void* unused) {
  TYPE seen = atomic_load_explicit(&a, memory_order_relaxed);
  while (!atomic_compare_exchange_strong(&a, &seen, (TYPE)(seen + 1))) {
  }
  return unused;
}

int main(void) {
  every_operation();
  together(add, add);
  together(add, add_by_exchange);
  assert(atomic_load(&a) == 4);
  return 0;
}
