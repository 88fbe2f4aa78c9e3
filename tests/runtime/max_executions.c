// A limit on the number of runs ends the search early, and is said.
// EXPECT: incomplete
// OPTIONS: --algorithm=dfs --max-executions=2
#include "together.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  together(work, work);
  return 0;
}
