// A barrier for COUNT threads that lies in a library; two come.
#include <assert.h>
#include <pthread.h>
void lib_begin(void);
void lib_meet(void);
#ifdef LIBRARY
static pthread_barrier_t barrier;
void lib_begin(void) { pthread_barrier_init(&barrier, 0, COUNT); }
void lib_meet(void) { pthread_barrier_wait(&barrier); }
#else
static int x;
static void* set(void* unused) {
  x = 1;
  lib_meet();
  return unused;
}
int main(void) {
  pthread_t t;
  lib_begin();
  pthread_create(&t, 0, set, 0);
  lib_meet();
  assert(x == 1);
  pthread_join(t, 0);
  return 0;
}
#endif
