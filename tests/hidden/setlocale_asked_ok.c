// To ask for the locale's name changes nothing.
// EXPECT: verified
// EXECUTIONS: optimal=1
#include <assert.h>
#include <locale.h>

#include "both.h"

static void* work(void* unused) {
  assert(setlocale(LC_ALL, 0));
  return unused;
}

int main(void) {
  setlocale(LC_ALL, "C");
  both(work, 0, 0);
  return 0;
}
