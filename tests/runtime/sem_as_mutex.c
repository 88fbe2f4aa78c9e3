// A semaphore with one permit excludes.
// EXPECT: verified
#include <assert.h>
#include <semaphore.h>

#include "together.h"

static sem_t permit;
static int total;

static void* work(void* unused) {
  sem_wait(&permit);
  total++;
  sem_post(&permit);
  return unused;
}

int main(void) {
  sem_init(&permit, 0, 1);
  together(work, work);
  assert(total == 2);
  return 0;
}
