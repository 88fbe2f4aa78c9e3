// The same state under a lock.
// EXPECT: verified
#include <pthread.h>
#include <stdlib.h>

#include "both.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* draw(void* result) {
  pthread_mutex_lock(&lock);
  *(double*)result = drand48();
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  double a, b;
  both(draw, &a, &b);
  return a == b;
}
