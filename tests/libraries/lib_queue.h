// A library's mailbox: mutex, condition variable and the flag lie in it. WAIT is how it waits.
#include <pthread.h>
void lib_put(int value);
int lib_take(void);
#ifdef LIBRARY
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int value, full;
void lib_put(int v) {
  pthread_mutex_lock(&mutex);
  value = v;
  full = 1;
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&mutex);
}
int lib_take(void) {
  pthread_mutex_lock(&mutex);
  WAIT;
  full = 0;
  int v = value;
  pthread_mutex_unlock(&mutex);
  return v;
}
#else
static int message;
static void* send(void* unused) {
  message = 7;
  lib_put(1);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, send, 0);
  lib_take();
  int seen = message;
  pthread_join(t, 0);
  return seen == 7 ? 0 : 1;
}
#endif
