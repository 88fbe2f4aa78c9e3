// An atomic counter that lies in a library, by name and by address. The program adds to it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern atomic_int lib_counter;
atomic_int* lib_other_counter(void);
#ifdef LIBRARY
atomic_int lib_counter;
static atomic_int other_counter;
atomic_int* lib_other_counter(void) { return &other_counter; }
#else
static void* add(void* unused) {
  ADD;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  add(0);
  pthread_join(t, 0);
  assert(lib_counter + *lib_other_counter() == 2);
  return 0;
}
#endif
