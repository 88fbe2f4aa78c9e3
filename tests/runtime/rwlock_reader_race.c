// Two holders for reading are not ordered.
// EXPECT: bug data-race
#include "together.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void* reader(void* unused) {
  pthread_rwlock_rdlock(&lock);
  x++;
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  together(reader, reader);
  return 0;
}
