// A detached thread is waited for through a semaphore, not by a join.
// EXPECT: verified
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t done;
static int value;

static void* work(void* unused) {
  value = 42;
  sem_post(&done);
  return unused;
}

int main(void) {
  pthread_t t;
  sem_init(&done, 0, 0);
  pthread_create(&t, 0, work, 0);
  assert(pthread_detach(t) == 0);
  sem_wait(&done);
  assert(value == 42);
  return 0;
}
