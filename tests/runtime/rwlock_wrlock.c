// A writer is alone, and what it wrote readers see.
// EXPECT: verified
#include <assert.h>

#include "together.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int a, b;

static void* writer(void* unused) {
  assert(pthread_rwlock_wrlock(&lock) == 0);
  a++;
  b++;
  assert(pthread_rwlock_unlock(&lock) == 0);
  return unused;
}

static void* reader(void* unused) {
  pthread_rwlock_rdlock(&lock);
  assert(a == b);
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  together(writer, reader);
  together(writer, writer);
  assert(a == 3 && b == 3);
  return 0;
}
