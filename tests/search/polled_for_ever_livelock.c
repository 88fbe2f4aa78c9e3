// Polls under a lock for what nobody does.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready, done;

static void* work(void* unused) {
  pthread_mutex_lock(&lock);
  done = 1;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, work, 0);
  for (int is_ready = 0; !is_ready;) {
    pthread_mutex_lock(&lock);
    is_ready = ready;
    pthread_mutex_unlock(&lock);
  }
  pthread_join(other, 0);
  return !done;
}
