// Allocates and writes until nothing is left, in one order of two: the run is stopped at the bound, and the machine is not
// harmed. (Without the bound each run takes 16 GB, five times over with the records about it.)
// EXPECT: bug crash
// MESSAGE: out of memory
// OPTIONS: --target-memory=256M
// TIMEOUT: 60
// LOCATION: HERE
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_int set;

static void* setter(void* unused) {
  atomic_store(&set, 1);
  return unused;
}

static void eat(void) {
  for (char* block; (block = malloc(1 << 20));) memset(block, 1, 1 << 20);  // HERE
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, setter, 0);
  if (atomic_load(&set)) eat();
  pthread_join(t, 0);
  return 0;
}
