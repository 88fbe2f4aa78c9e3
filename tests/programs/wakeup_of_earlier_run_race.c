// What a wake-up carried in an earlier run must not order anything in a later one: there the second thread starts after the
// wake-up and races with whoever was woken.
// EXPECT: bug data-race
// LOCATION: HERE
#include <pthread.h>

int heddle_choose(int);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t woken = PTHREAD_COND_INITIALIZER;
static int waiting, go;
int x;

static void* waiter(void* unused) {
  pthread_mutex_lock(&mutex);
  waiting = 1;
  while (!go) pthread_cond_wait(&woken, &mutex);
  pthread_mutex_unlock(&mutex);
  x = 1;  // HERE
  return unused;
}

static void* second(void* unused) {
  x = 2;
  return unused;
}

static void wake(void) {
  pthread_mutex_lock(&mutex);
  go = 1;
  pthread_cond_signal(&woken);
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, waiter, 0);
  if (heddle_choose(2) == 0) {
    pthread_create(&b, 0, second, 0);
    pthread_join(b, 0);
    wake();
  } else {
    wake();
    pthread_create(&b, 0, second, 0);
    pthread_join(b, 0);
  }
  pthread_join(a, 0);
  return 0;
}
