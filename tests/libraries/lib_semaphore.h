// A semaphore with UNITS units that lies in a library, around an update of two steps.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
void lib_begin(void);
void lib_enter(void);
void lib_leave(void);
#ifdef LIBRARY
static sem_t semaphore;
void lib_begin(void) { sem_init(&semaphore, 0, UNITS); }
void lib_enter(void) { sem_wait(&semaphore); }
void lib_leave(void) { sem_post(&semaphore); }
#else
static atomic_int counter;
static void* add(void* unused) {
  lib_enter();
  int seen = atomic_load(&counter);
  atomic_store(&counter, seen + 1);
  lib_leave();
  return unused;
}
int main(void) {
  pthread_t t;
  lib_begin();
  pthread_create(&t, 0, add, 0);
  add(0);
  pthread_join(t, 0);
  assert(counter == 2);
  return 0;
}
#endif
