// errno is each thread's own, whatever runs in between.
// EXPECT: verified
#include <assert.h>
#include <errno.h>

#include "together.h"

static pthread_mutex_t step = PTHREAD_MUTEX_INITIALIZER;

static void hold(int value) {
  errno = value;
  pthread_mutex_lock(&step);
  pthread_mutex_unlock(&step);
  assert(errno == value);
}

static void* first(void* unused) {
  hold(11);
  return unused;
}

static void* second(void* unused) {
  hold(22);
  return unused;
}

int main(void) {
  together(first, second);
  return 0;
}
