// What a wake-up carried in an earlier run must not order anything in a later one. In the first run the second thread has ended
// before the wake-up, which so tells the waiter of it; in the later one it starts after the wake-up and before the waiter goes
// on, and its write races with the waiter's. A relaxed flag puts the two writes in the one order in which a clock left over hides
// the race. (Seen to fail with clocks that are copied only up to the threads in use.)
// EXPECT: bug data-race
// LOCATION: HERE
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

int heddle_choose(int);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t woken = PTHREAD_COND_INITIALIZER;
static sem_t ready;
static int go;
static atomic_int written;
int x;

static void* waiter(void* unused) {
  pthread_mutex_lock(&mutex);
  sem_post(&ready);  // whoever has the mutex next finds it waiting
  while (!go) pthread_cond_wait(&woken, &mutex);
  pthread_mutex_unlock(&mutex);
  while (!atomic_load_explicit(&written, memory_order_relaxed)) {
  }
  x = 1;  // HERE
  return unused;
}

static void* second(void* unused) {
  x = 2;
  atomic_store_explicit(&written, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t a, b;
  const int early = heddle_choose(2) == 0;
  sem_init(&ready, 0, 0);
  pthread_create(&a, 0, waiter, 0);
  if (early) {
    pthread_create(&b, 0, second, 0);
    pthread_join(b, 0);
  }
  sem_wait(&ready);
  pthread_mutex_lock(&mutex);
  go = 1;
  pthread_cond_signal(&woken);
  if (!early) pthread_create(&b, 0, second, 0);
  pthread_mutex_unlock(&mutex);
  if (!early) pthread_join(b, 0);
  pthread_join(a, 0);
  return 0;
}
