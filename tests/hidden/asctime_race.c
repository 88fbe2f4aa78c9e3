// asctime() has one buffer.
// EXPECT: bug data-race
#include <time.h>

#include "both.h"

static volatile long sink[2];

static void* work(void* at) {
  *(volatile long*)at = (long)(asctime(&(struct tm){.tm_mday = 1}) != 0);
  return 0;
}

int main(void) {
  both(work, (void*)&sink[0], (void*)&sink[1]);
  return 0;
}
