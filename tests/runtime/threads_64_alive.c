// Sixty-four threads alive together, sampled: they all wait for one semaphore before the first goes on.
// EXPECT: incomplete
// OPTIONS: --algorithm=random --max-executions=20
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

enum { kThreads = 64 };
static sem_t gate;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void* work(void* unused) {
  sem_wait(&gate);
  pthread_mutex_lock(&lock);
  total++;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t t[kThreads];
  sem_init(&gate, 0, 0);
  for (int i = 0; i < kThreads; i++) assert(pthread_create(&t[i], 0, work, 0) == 0);
  for (int i = 0; i < kThreads; i++) sem_post(&gate);
  for (int i = 0; i < kThreads; i++) pthread_join(t[i], 0);
  assert(total == kThreads);
  return 0;
}
