// Draws under a lock whose order the program does not look at: the lock makes two executions, the state no more.
// EXPECT: verified
// EXECUTIONS: optimal=2
#include <pthread.h>
#include <stdlib.h>

#include "both.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void* draw(void* unused) {
  pthread_mutex_lock(&lock);
  sum += rand() % 2;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  srand(3);
  both(draw, 0, 0);
  return sum > 2;
}
