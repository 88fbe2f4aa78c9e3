// umask() gives back what was set before.
// EXPECT: bug assertion
// OPTIONS: --executor=auto
#include <assert.h>
#include <sys/stat.h>

#include "both.h"

static unsigned before[2];

static void* work(void* at) {
  *(unsigned*)at = umask(at == (void*)before ? 022 : 077);
  return 0;
}

int main(void) {
  umask(0);
  both(work, &before[0], &before[1]);
  assert(before[0] == 0);
  return 0;
}
