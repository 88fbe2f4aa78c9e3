// Every operation on an atomic object that has no instruction: TYPE, made from a number by MAKE and read by NUMBER.
// What each returns, what the operands hold, that two threads never lose an update, and that release and acquire order.
#include <assert.h>

#include "together.h"

static _Alignas(16) TYPE a;
static int plain;

static TYPE load(void) {
  TYPE value;
  __atomic_load(&a, &value, __ATOMIC_SEQ_CST);
  return value;
}

static void every_operation(void) {
  TYPE five = MAKE(5), six = MAKE(6), seven = MAKE(7), old;
  __atomic_store(&a, &five, __ATOMIC_SEQ_CST);
  assert(NUMBER(load()) == 5);
  __atomic_exchange(&a, &six, &old, __ATOMIC_SEQ_CST);
  assert(NUMBER(old) == 5 && NUMBER(load()) == 6);
  TYPE expected = load();
  assert(__atomic_compare_exchange(&a, &expected, &seven, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
  assert(NUMBER(expected) == 6 && NUMBER(load()) == 7);
  assert(!__atomic_compare_exchange(&a, &expected, &five, 1, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
  assert(NUMBER(expected) == 7 && NUMBER(load()) == 7);
}

static void* add(void* unused) {
  TYPE seen = load(), next;
  do next = MAKE(NUMBER(seen) + 1);
  while (!__atomic_compare_exchange(&a, &seen, &next, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  return unused;
}

static void* publish(void* unused) {
  TYPE one = MAKE(1);
  plain = 1;
  __atomic_store(&a, &one, __ATOMIC_RELEASE);
  return unused;
}
static void* consume(void* unused) {
  TYPE seen;
  __atomic_load(&a, &seen, __ATOMIC_ACQUIRE);
  if (NUMBER(seen) == 1) assert(plain == 1);
  return unused;
}

int main(void) {
  TYPE zero = MAKE(0);
  every_operation();
  __atomic_store(&a, &zero, __ATOMIC_SEQ_CST);
  together(add, add);
  assert(NUMBER(load()) == 2);
  __atomic_store(&a, &zero, __ATOMIC_SEQ_CST);
  together(publish, consume);
  return 0;
}
