// The second pair shows only in executions in which the right thread comes first at the lock.
// EXPECT: within-bound
#include "two_threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int turns;
static atomic_int x, y;

static int turn(void) {
  pthread_mutex_lock(&lock);
  int mine = turns++;
  pthread_mutex_unlock(&lock);
  return mine;
}
static void* left(void* unused) {
  if (turn() == 1) STORE(y, 1, relaxed);
  STORE(x, 1, relaxed);
  return unused;
}
static void* right(void* unused) {
  if (turn() == 0) (void)LOAD(y, relaxed);
  (void)LOAD(x, relaxed);
  return unused;
}

int main(void) {
  beside_each_other(left, right);
  return 0;
}
