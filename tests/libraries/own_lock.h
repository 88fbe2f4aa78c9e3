// A library that makes a lock of its own, out of atomic instructions.
void own_lock(void);
void own_unlock(void);
void own_guarded(void (*work)(void));
typedef void (*own_function)(void);
own_function own_lock_function(void);
#ifdef LIBRARY
static int word;
void own_lock(void) {
  while (__atomic_exchange_n(&word, 1, __ATOMIC_ACQUIRE)) {
  }
}
void own_unlock(void) { __atomic_store_n(&word, 0, __ATOMIC_RELEASE); }
void own_guarded(void (*work)(void)) {
  own_lock();
  work();
  own_unlock();
}
own_function own_lock_function(void) { return own_lock; }
#else
#include <pthread.h>
static pthread_t other;
static void start(void* (*body)(void*)) { pthread_create(&other, 0, body, 0); }
static int finish(void) {
  pthread_join(other, 0);
  return 0;
}
#endif
