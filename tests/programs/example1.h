// The example of Yang et al. (SPIN 2008, fig. 1): two threads add to and take from d in loops up to N.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int d;

static void change(int by) {
  pthread_mutex_lock(&lock);
  d += by;
  assert(d % 5 != 4);
  pthread_mutex_unlock(&lock);
}

static void* add(void* unused) {
  for (int i = 0; i < N; i += 5) change(i);
  return unused;
}

static void* take(void* unused) {
  for (int j = 0; j < N; j += 2) change(-j);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, take, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
