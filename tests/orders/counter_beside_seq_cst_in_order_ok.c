// As counter_beside_seq_cst_within_bound.c, but a lock orders the seq_cst accesses.
// EXPECT: verified
#include "two_threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, c;

static void* left(void* unused) {
  pthread_mutex_lock(&lock);
  STORE(x, 1, seq_cst);
  pthread_mutex_unlock(&lock);
  ADD(c, 1, relaxed);
  return unused;
}
static void* right(void* unused) {
  ADD(c, 1, relaxed);
  pthread_mutex_lock(&lock);
  (void)LOAD(x, seq_cst);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  beside_each_other(left, right);
  return 0;
}
