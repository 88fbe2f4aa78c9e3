// strtok() under a lock that is held from the first token to the last.
// EXPECT: verified
// EXECUTIONS: optimal=2
#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "both.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* split(void* text) {
  pthread_mutex_lock(&lock);
  int n = 0;
  for (char* token = strtok(text, " "); token; token = strtok(0, " ")) ++n;
  assert(n == 2);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  char a[] = "a b", b[] = "c d";
  both(split, a, b);
  return 0;
}
