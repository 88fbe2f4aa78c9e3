// The shared database of Yang's dissertation, figure 3.2: the first of a class takes `lock` while it holds `mutex`.
// If the other class is inside, it can never get `mutex` to leave.
// EXPECT: bug deadlock
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, lock = PTHREAD_MUTEX_INITIALIZER;
static int a_count, b_count;

static void enter(int* count) {
  pthread_mutex_lock(&mutex);
  if (++*count == 1) pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&mutex);
}

static void leave(int* count) {
  pthread_mutex_lock(&mutex);
  if (--*count == 0) pthread_mutex_unlock(&lock);
  pthread_mutex_unlock(&mutex);
}

static void* operation(void* count) {
  enter(count);
  leave(count);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, operation, &a_count);
  pthread_create(&b, 0, operation, &b_count);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
