// strtok() remembers where it is for all threads.
// EXPECT: bug data-race
#include <string.h>

#include "both.h"

static volatile long sink[2];

static void* work(void* at) {
  *(volatile long*)at = (long)(strtok((char[]){"a b"}, " ") != 0);
  return 0;
}

int main(void) {
  both(work, (void*)&sink[0], (void*)&sink[1]);
  return 0;
}
