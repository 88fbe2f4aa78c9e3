// Waits a second at a time until it is done: it may time out any number of times.
// There is no end to that; with a bound on time-outs there is.
// EXPECT: within-bound
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done;

static void* finish(void* unused) {
  pthread_mutex_lock(&mutex);
  done = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, finish, 0);
  pthread_mutex_lock(&mutex);
  while (!done) {
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    ++deadline.tv_sec;
    pthread_cond_timedwait(&changed, &mutex, &deadline);
  }
  pthread_mutex_unlock(&mutex);
  pthread_join(t, 0);
  return 0;
}
