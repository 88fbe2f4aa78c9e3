// Attributes keep what is set, and a thread started with them works.
// EXPECT: verified
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t done;

static void* work(void* unused) {
  volatile char deep[64 * 1024];
  deep[0] = deep[sizeof deep - 1] = 1;
  sem_post(&done);
  return unused;
}

int main(void) {
  pthread_attr_t attr;
  pthread_t t;
  size_t size;
  int state;
  sem_init(&done, 0, 0);
  assert(pthread_attr_init(&attr) == 0);
  assert(pthread_attr_setstacksize(&attr, 1 << 20) == 0);
  assert(pthread_attr_getstacksize(&attr, &size) == 0 && size == 1 << 20);
  assert(pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED) == 0);
  assert(pthread_attr_getdetachstate(&attr, &state) == 0 && state == PTHREAD_CREATE_DETACHED);
  assert(pthread_create(&t, &attr, work, 0) == 0);
  assert(pthread_attr_destroy(&attr) == 0);
  sem_wait(&done);
  return 0;
}
