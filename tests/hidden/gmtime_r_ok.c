// With a buffer of one's own.
// EXPECT: verified
// EXECUTIONS: optimal=1
#include <time.h>

#include "both.h"

static volatile long sink[2];

static void* work(void* at) {
  *(volatile long*)at = (long)(gmtime_r(&(time_t){0}, &(struct tm){0})->tm_year);
  return 0;
}

int main(void) {
  both(work, (void*)&sink[0], (void*)&sink[1]);
  return 0;
}
