// Fails in the first runs; in others threads time out again and again, so that the search starts over with a bound on that. Within the bound nothing fails.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { Most = 20, Unusual = 4 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done;
static atomic_int late;

static void* poll(void* unused) {
  int timed_out = 0;
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < Most && !done; ++i) {
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    ++deadline.tv_sec;
    if (pthread_cond_timedwait(&changed, &mutex, &deadline) != 0 && ++timed_out == Unusual) assert(!late);
  }
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], 0, poll, 0);
  late = 1;
  pthread_mutex_lock(&mutex);
  done = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);
  return 0;
}
