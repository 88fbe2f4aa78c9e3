// Each thread names itself.
// EXPECT: verified
// EXECUTIONS: optimal=1
// CFLAGS: -D_GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "both.h"

static void* work(void* name) {
  char found[16];
  pthread_setname_np(pthread_self(), name);
  pthread_getname_np(pthread_self(), found, sizeof found);
  assert(strcmp(found, name) == 0);
  return 0;
}

int main(void) {
  both(work, "one", "two");
  return 0;
}
