// Detached threads, of which one may be over before the next begins: if it got the same stack, nothing would order their locals, and that is no race.
// EXPECT: verified
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int turns;

static void* work(void* unused) {
  volatile int local[100];
  for (int i = 0; i < 100; i++) local[i] = i;
  pthread_mutex_lock(&lock);
  turns++;
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < 100; i++) local[i] = i;
  return unused;
}

int main(void) {
  pthread_attr_t detached;
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  for (int i = 0; i < 3; i++) {
    pthread_t t;
    pthread_create(&t, &detached, work, 0);
  }
  pthread_exit(0);
}
