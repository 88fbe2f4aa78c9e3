// A thread spins while others write on its stack: what they do there must not decide whether it is seen to wait (seen to fail with 19 executions).
// EXPECT: verified
// EXECUTIONS: optimal=13
// CFLAGS: -O1
#include <assert.h>
#include <pthread.h>

static int flag;

struct shared {
  pthread_mutex_t lock;  // first used by the other thread
  int count, result;
};

static void* work(void* argument) {
  struct shared* shared = argument;
  __atomic_store_n(&flag, 1, __ATOMIC_SEQ_CST);
  pthread_mutex_lock(&shared->lock);
  shared->result = 7;
  pthread_mutex_unlock(&shared->lock);
  __atomic_store_n(&flag, 0, __ATOMIC_SEQ_CST);
  __atomic_fetch_add(&shared->count, 1, __ATOMIC_SEQ_CST);
  __atomic_store_n(&flag, 2, __ATOMIC_SEQ_CST);
  return 0;
}

int main(void) {
  struct shared shared = {.lock = PTHREAD_MUTEX_INITIALIZER};
  pthread_t worker;
  pthread_create(&worker, 0, work, &shared);
  while (__atomic_load_n(&flag, __ATOMIC_SEQ_CST) != 2) {
  }
  assert(shared.result == 7);
  pthread_join(worker, 0);
  assert(shared.count == 1);
}
