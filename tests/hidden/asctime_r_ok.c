// With a buffer of one's own.
// EXPECT: verified
// EXECUTIONS: optimal=1
#include <time.h>

#include "both.h"

static volatile long sink[2];

static void* work(void* at) {
  *(volatile long*)at = (long)(asctime_r(&(struct tm){.tm_mday = 1}, (char[32]){0}) != 0);
  return 0;
}

int main(void) {
  both(work, (void*)&sink[0], (void*)&sink[1]);
  return 0;
}
