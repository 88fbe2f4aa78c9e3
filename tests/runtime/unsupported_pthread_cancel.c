// Cancellation is not modelled: refused by name and place.
// EXPECT: unsupported
// MESSAGE: (?s)\bpthread_cancel\b.*unsupported_pthread_cancel\.c:\d+
#include <pthread.h>
#include <semaphore.h>

static sem_t never;

static void* work(void* unused) {
  sem_wait(&never);
  return unused;
}

int main(void) {
  pthread_t t;
  sem_init(&never, 0, 0);
  pthread_create(&t, 0, work, 0);
  pthread_cancel(t);
  pthread_join(t, 0);
  return 0;
}
