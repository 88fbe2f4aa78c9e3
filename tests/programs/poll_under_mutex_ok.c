// A flag polled under its mutex: every look takes and gives back the lock and changes nothing, so that there are few states but executions without end.
// EXPECT: verified
// ONLY: rollback
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void* finish(void* unused) {
  pthread_mutex_lock(&mutex);
  done = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

static int is_done(void) {
  pthread_mutex_lock(&mutex);
  int d = done;
  pthread_mutex_unlock(&mutex);
  return d;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, finish, 0);
  while (!is_done()) usleep(1000);
  pthread_join(t, 0);
  return 0;
}
