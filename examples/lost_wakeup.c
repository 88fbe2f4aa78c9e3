/* A consumer that looks before it locks, and so can sleep through the only wake-up.
 *
 *   ./heddle check examples/lost_wakeup.c
 *
 * If the producer runs between the look and pthread_cond_wait, its signal finds nobody waiting and the consumer sleeps for ever:
 * a deadlock. `ready` is atomic, so that there is no data race to distract. The cure is to look again under the lock:
 * while (!ready) pthread_cond_wait(...). */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void *producer(void *unused) {
  pthread_mutex_lock(&mutex);
  atomic_store(&ready, 1);
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void *consumer(void *unused) {
  if (!atomic_load(&ready)) { /* bug: the answer is old by the time we sleep */
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, consumer, NULL);
  pthread_create(&threads[1], NULL, producer, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
