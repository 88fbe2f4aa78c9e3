// Set and looked up under a lock: both orders are seen, neither is a race.
// EXPECT: verified
// EXECUTIONS: optimal=2
#include <pthread.h>
#include <stdlib.h>

#include "both.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int found;

static void* work(void* value) {
  pthread_mutex_lock(&lock);
  if (value) setenv("HEDDLE_TEST", value, 1);
  else found = getenv("HEDDLE_TEST") != 0;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  both(work, "1", 0);
  return found > 1;
}
