// One thread changes the working directory while another asks for it.
// EXPECT: bug assertion
// OPTIONS: --executor=auto
#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "both.h"

static char found[4096];

static void* work(void* goes) {
  if (goes) return chdir("/") ? goes : 0;
  return getcwd(found, sizeof found) ? 0 : found;
}

int main(void) {
  assert(chdir("/tmp") == 0);
  both(work, found, 0);
  assert(strcmp(found, "/tmp") == 0);
  return 0;
}
