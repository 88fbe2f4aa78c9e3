// localtime() has one buffer.
// EXPECT: bug data-race
#include <time.h>

#include "both.h"

static volatile long sink[2];

static void* work(void* at) {
  *(volatile long*)at = (long)(localtime(&(time_t){0})->tm_year);
  return 0;
}

int main(void) {
  both(work, (void*)&sink[0], (void*)&sink[1]);
  return 0;
}
