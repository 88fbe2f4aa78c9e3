// Threads print; the program's output does not disturb the search.
// EXPECT: verified
#include <stdio.h>

#include "together.h"

static void* work(void* unused) {
  printf("thread %d\n", 1);
  fprintf(stderr, "thread %s\n", "two");
  fflush(stdout);
  return unused;
}

int main(void) {
  puts("start");
  together(work, work);
  putchar('\n');
  return 0;
}
