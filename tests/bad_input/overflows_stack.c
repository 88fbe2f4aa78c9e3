// Recursion without end in main.
// EXPECT: bug crash
// MESSAGE: (?i)stack|SIGSEGV
#include <stdlib.h>

static int depth(int n) {
  volatile char frame[1000];
  frame[n % 1000] = 1;
  return depth(n + 1) + frame[0];
}

int main(void) { return depth(0); }
