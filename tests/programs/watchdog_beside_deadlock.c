// A watchdog looks after the others every second, and two of them wait for each other's lock for ever. The watchdog always can go on, so that
// nobody ever sees all threads stuck.
// EXPECT: bug deadlock
// LOCATION: HERE
#include <pthread.h>
#include <time.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t state = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t stopped = PTHREAD_COND_INITIALIZER;
static int stop, looks;

static void* watch(void* unused) {
  pthread_mutex_lock(&state);
  while (!stop) {
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    ++deadline.tv_sec;
    pthread_cond_timedwait(&stopped, &state, &deadline);
    ++looks;
  }
  pthread_mutex_unlock(&state);
  return unused;
}

static void* work(void* unused) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);  // HERE
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return unused;
}

int main(void) {
  pthread_t watchdog, worker;
  pthread_create(&watchdog, 0, watch, 0);
  pthread_create(&worker, 0, work, 0);
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  pthread_join(worker, 0);
  pthread_mutex_lock(&state);
  stop = 1;
  pthread_cond_signal(&stopped);
  pthread_mutex_unlock(&state);
  pthread_join(watchdog, 0);
  return 0;
}
