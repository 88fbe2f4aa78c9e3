// Random schedules find an easy race too.
// EXPECT: bug data-race
// OPTIONS: --algorithm=random --seed=1 --max-executions=100
#include "together.h"

static int x;

static void* work(void* unused) {
  x++;
  return unused;
}

int main(void) {
  together(work, work);
  return 0;
}
