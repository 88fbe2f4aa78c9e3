// A timed wait may time out however long it is: code that takes the time-out for impossible fails.
// EXPECT: bug assertion
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int flag;

static void* setter(void* unused) {
  pthread_mutex_lock(&lock);
  flag = 1;
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 3600;
  pthread_t t;
  pthread_create(&t, 0, setter, 0);
  pthread_mutex_lock(&lock);
  int error = 0;
  while (!flag && error == 0) error = pthread_cond_timedwait(&ready, &lock, &deadline);
  assert(error == 0);
  pthread_mutex_unlock(&lock);
  pthread_join(t, 0);
  return 0;
}
