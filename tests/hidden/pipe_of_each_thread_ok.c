// Each thread has a pipe for itself.
// EXPECT: verified
// OPTIONS: --executor=auto
// EXECUTIONS: optimal=1
#include <assert.h>
#include <unistd.h>

#include "both.h"

static void* use(void* text) {
  int ends[2];
  char got;
  assert(pipe(ends) == 0);
  assert(write(ends[1], text, 1) == 1 && read(ends[0], &got, 1) == 1 && got == *(char*)text);
  close(ends[0]);
  close(ends[1]);
  return 0;
}

int main(void) {
  both(use, "a", "b");
  return 0;
}
