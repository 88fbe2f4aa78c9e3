// A mutex on the stack of a thread that others lock. WAITS: until they have done so.
#include <pthread.h>

static pthread_mutex_t* lock;
static int uses;

static void* user(void* unused) {
  pthread_mutex_lock(lock);
  ++uses;
  pthread_mutex_unlock(lock);
  return unused;
}

static pthread_t users[2];

static void* owner(void* unused) {
  pthread_mutex_t mine = PTHREAD_MUTEX_INITIALIZER;
  lock = &mine;
  for (int i = 0; i < 2; ++i) pthread_create(&users[i], 0, user, 0);
#ifdef WAITS
  for (int i = 0; i < 2; ++i) pthread_join(users[i], 0);
#endif
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, owner, 0);
  pthread_join(a, 0);
#ifndef WAITS
  for (int i = 0; i < 2; ++i) pthread_join(users[i], 0);
#endif
  return uses != 2;
}
