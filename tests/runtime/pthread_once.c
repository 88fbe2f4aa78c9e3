// The initialiser runs once, and everybody sees what it did.
// EXPECT: verified
#include <assert.h>

#include "together.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int value;

static void initialise(void) { value++; }

static void* work(void* unused) {
  assert(pthread_once(&once, initialise) == 0);
  assert(value == 1);
  return unused;
}

int main(void) {
  together(work, work);
  return 0;
}
