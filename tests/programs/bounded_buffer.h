// A buffer of SLOTS places between producers and consumers, with one condition variable a direction.
// WAIT is how a thread waits for its condition: `while` is right, `if` is the classic bug.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int slots[SLOTS], used, in, out;

static void put(int item) {
  pthread_mutex_lock(&lock);
  WAIT(used == SLOTS) pthread_cond_wait(&not_full, &lock);
  assert(used < SLOTS);
  slots[in++ % SLOTS] = item;
  used++;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&lock);
}

static int get(void) {
  pthread_mutex_lock(&lock);
  WAIT(used == 0) pthread_cond_wait(&not_empty, &lock);
  assert(used > 0);
  int item = slots[out++ % SLOTS];
  used--;
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&lock);
  return item;
}
