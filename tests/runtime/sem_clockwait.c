// clockwait is timedwait with a clock of one's choice.
// EXPECT: verified
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <semaphore.h>

#include "deadline.h"

int main(void) {
  sem_t items;
  sem_init(&items, 0, 0);
  struct timespec when = deadline(CLOCK_MONOTONIC, 1);
  assert(sem_clockwait(&items, CLOCK_MONOTONIC, &when) == -1 && errno == ETIMEDOUT);
  assert(deadline(CLOCK_MONOTONIC, 0).tv_sec >= when.tv_sec);
  return 0;
}
