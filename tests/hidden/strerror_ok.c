// strerror() has a buffer for each thread.
// EXPECT: verified
// EXECUTIONS: optimal=1
#include <string.h>

#include "both.h"

static void* work(void* number) { return strerror((int)(long)number); }

int main(void) {
  both(work, (void*)1L, (void*)12345L);
  return 0;
}
