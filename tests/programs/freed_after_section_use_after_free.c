// A block is freed by whoever has been in the critical section, but not inside: in the order in which the other one comes later, it uses the block after that, or
// meanwhile. Searches that store states see the free as a write to all of the block. Seen to fail when they did not: the state behind both sections was known from the good order.
// EXPECT: bug use-after-free|data-race
// OPTIONS: --algorithm=dl-spor --order=sequential
// ONLY: rollback
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int other;
static int* block;

static void* use(void* unused) {
  pthread_mutex_lock(&mutex);
  *block = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* release(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  atomic_load(&other);
  free(block);
  return unused;
}

int main(void) {
  block = malloc(sizeof *block);
  pthread_t threads[2];
  pthread_create(&threads[0], 0, use, 0);
  pthread_create(&threads[1], 0, release, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
}
