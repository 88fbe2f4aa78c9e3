// Two threads write to one pipe; main reads who was first.
// EXPECT: bug assertion
// OPTIONS: --executor=auto
#include <assert.h>
#include <unistd.h>

#include "both.h"

static int ends[2];

static void* put(void* text) { return write(ends[1], text, 1) == 1 ? 0 : text; }

int main(void) {
  char got[2];
  assert(pipe(ends) == 0);
  both(put, "a", "b");
  assert(read(ends[0], got, 2) == 2);
  assert(got[0] == 'a');
  return 0;
}
