// A read-write lock that lies in a library. ADD is under the one or the other side of it.
#include <assert.h>
#include <pthread.h>
void lib_read(void);
void lib_write(void);
void lib_done(void);
#ifdef LIBRARY
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
void lib_read(void) { pthread_rwlock_rdlock(&lock); }
void lib_write(void) { pthread_rwlock_wrlock(&lock); }
void lib_done(void) { pthread_rwlock_unlock(&lock); }
#else
static int counter;
static void* add(void* unused) {
  ADD();
  ++counter;
  lib_done();
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  add(0);
  pthread_join(t, 0);
  assert(counter == 2);
  return 0;
}
#endif
