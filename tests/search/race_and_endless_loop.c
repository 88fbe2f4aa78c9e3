// A race that only a failed try lets happen, with no state in which both accesses are next; a failed assertion; and a flag polled under a lock, which makes
// executions without end.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER, mutex = PTHREAD_MUTEX_INITIALIZER;
static int data, done, rounds;

static void* sets(void* unused) {
  pthread_mutex_lock(&mutex);
  done = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* polls(void* unused) {
  for (int seen = 0; !seen;) {
    pthread_mutex_lock(&mutex);
    seen = done;
    if (!seen) rounds = 1;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

static void* writes(void* unused) {
  data = 1;
  pthread_mutex_lock(&gate);
  pthread_mutex_unlock(&gate);
  return unused;
}

static void* looks(void* unused) {
  if (pthread_mutex_trylock(&gate) == 0) pthread_mutex_unlock(&gate);
  else if (data == 2) return &data;
  return unused;
}

static void run(void* (*first)(void*), void* (*second)(void*)) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
}

int main(void) {
  run(sets, polls);
  run(writes, looks);  // a search turns what comes last round first
  assert(rounds == 0);
}
