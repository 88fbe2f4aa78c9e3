// A post lets one waiter on, who sees what was done before it.
// EXPECT: verified
#include <assert.h>
#include <semaphore.h>

#include "together.h"

static sem_t items;
static int data;

static void* give(void* unused) {
  data = 42;
  assert(sem_post(&items) == 0);
  return unused;
}

static void* take(void* unused) {
  assert(sem_wait(&items) == 0);
  assert(data == 42);
  return unused;
}

int main(void) {
  assert(sem_init(&items, 0, 0) == 0);
  together(give, take);
  assert(sem_destroy(&items) == 0);
  return 0;
}
