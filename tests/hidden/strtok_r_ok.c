// strtok_r() remembers that where the caller says.
// EXPECT: verified
// EXECUTIONS: optimal=1
#include <string.h>

#include "both.h"

static volatile long sink[2];

static void* work(void* at) {
  *(volatile long*)at = (long)(strtok_r((char[]){"a b"}, " ", &(char*){0}) != 0);
  return 0;
}

int main(void) {
  both(work, (void*)&sink[0], (void*)&sink[1]);
  return 0;
}
