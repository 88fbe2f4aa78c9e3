// Every thread has its own value; destructors run at thread exit for values that are not null.
// EXPECT: verified
#include <assert.h>
#include <stdatomic.h>

#include "together.h"

static pthread_key_t key;
static atomic_int destroyed;

static void destroy(void* value) { atomic_fetch_add(&destroyed, *(int*)value); }

static void* set(void* unused) {
  static int one = 1;
  assert(pthread_getspecific(key) == 0);
  assert(pthread_setspecific(key, &one) == 0);
  assert(pthread_getspecific(key) == &one);
  return unused;
}

static void* unset(void* unused) {
  assert(pthread_getspecific(key) == 0);
  return unused;
}

int main(void) {
  assert(pthread_key_create(&key, destroy) == 0);
  together(set, unset);
  assert(destroyed == 1);
  assert(pthread_key_delete(key) == 0);
  return 0;
}
