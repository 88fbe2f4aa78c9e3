// A semaphore with two permits does not exclude two.
// EXPECT: bug data-race
#include <semaphore.h>

#include "together.h"

static sem_t permits;
static int total;

static void* work(void* unused) {
  sem_wait(&permits);
  total++;
  sem_post(&permits);
  return unused;
}

int main(void) {
  sem_init(&permits, 0, 2);
  together(work, work);
  return 0;
}
