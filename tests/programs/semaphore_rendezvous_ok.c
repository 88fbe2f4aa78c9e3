// Two threads meet: each posts its own arrival and waits for the other's, and then may read what the other wrote before.
// EXPECT: verified
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t a_arrived, b_arrived;
static int from_a, from_b;

static void* a(void* unused) {
  from_a = 1;
  sem_post(&a_arrived);
  sem_wait(&b_arrived);
  assert(from_b == 2);
  return unused;
}

static void* b(void* unused) {
  from_b = 2;
  sem_post(&b_arrived);
  sem_wait(&a_arrived);
  assert(from_a == 1);
  return unused;
}

int main(void) {
  pthread_t x, y;
  sem_init(&a_arrived, 0, 0);
  sem_init(&b_arrived, 0, 0);
  pthread_create(&x, 0, a, 0);
  pthread_create(&y, 0, b, 0);
  pthread_join(x, 0);
  pthread_join(y, 0);
  return 0;
}
