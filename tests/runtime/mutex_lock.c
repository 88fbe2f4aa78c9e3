// Mutual exclusion, and what one holder wrote the next one sees.
// EXPECT: verified
// EXECUTIONS: optimal=2
#include <assert.h>

#include "together.h"

static pthread_mutex_t lock;
static int inside, total;

static void* work(void* unused) {
  assert(pthread_mutex_lock(&lock) == 0);
  assert(++inside == 1);
  total++;
  --inside;
  assert(pthread_mutex_unlock(&lock) == 0);
  return unused;
}

int main(void) {
  assert(pthread_mutex_init(&lock, 0) == 0);
  together(work, work);
  assert(total == 2);
  assert(pthread_mutex_destroy(&lock) == 0);
  return 0;
}
