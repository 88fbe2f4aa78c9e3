// Two variables side by side, both in races. What the second race can lead to shows only where the accesses to both are
// scheduling points.
#include <assert.h>
#include <pthread.h>

static struct { TYPE first, second; } y __attribute__((aligned(16)));
static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t s;
static int got;

static void* a(void* unused) {
  pthread_mutex_lock(&m0);
  y.second = y.second + 1;
  pthread_mutex_unlock(&m0);
  return unused;
}

static void* b(void* unused) {
  pthread_mutex_lock(&m0);
  pthread_spin_lock(&s);
  y.first = y.first + 1;
  pthread_spin_unlock(&s);
  pthread_mutex_unlock(&m0);
  return unused;
}

static void* c(void* unused) {
  pthread_mutex_lock(&m1);
  if (pthread_spin_trylock(&s) == 0) {
    got = 1;
    y.second = y.second + 1;
    pthread_spin_unlock(&s);
  }
  pthread_mutex_unlock(&m1);
  pthread_mutex_lock(&m1);
  y.first = 2;
  pthread_mutex_unlock(&m1);
  return unused;
}

int main(void) {
  pthread_t p, q, r;
  pthread_spin_init(&s, 0);
  pthread_create(&p, 0, a, 0);
  pthread_create(&q, 0, b, 0);
  pthread_create(&r, 0, c, 0);
  pthread_join(p, 0);
  pthread_join(q, 0);
  pthread_join(r, 0);
  assert(!(got && y.second == 1));
  return 0;
}
