// Each waits before it posts.
// EXPECT: bug deadlock
#include <pthread.h>
#include <semaphore.h>

static sem_t a_arrived, b_arrived;

static void* a(void* unused) {
  sem_wait(&b_arrived);
  sem_post(&a_arrived);
  return unused;
}

static void* b(void* unused) {
  sem_wait(&a_arrived);
  sem_post(&b_arrived);
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
