// A timed wait for an empty semaphore fails with ETIMEDOUT; a post in time is taken.
// EXPECT: verified
#include <assert.h>
#include <errno.h>
#include <semaphore.h>

#include "deadline.h"
#include "together.h"

static sem_t items;

static void* give(void* unused) {
  sem_post(&items);
  return unused;
}

static void* take(void* unused) {
  struct timespec when = deadline(CLOCK_REALTIME, 1);
  if (sem_timedwait(&items, &when) != 0) {
    assert(errno == ETIMEDOUT);
    assert(sem_wait(&items) == 0);
  }
  return unused;
}

int main(void) {
  sem_init(&items, 0, 0);
  struct timespec when = deadline(CLOCK_REALTIME, 1);
  assert(sem_timedwait(&items, &when) == -1 && errno == ETIMEDOUT);
  together(give, take);
  return 0;
}
