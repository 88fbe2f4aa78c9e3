// A function lends its variable to another thread. WAITS: and returns only when that is done with it.
#include <pthread.h>
#include <semaphore.h>

static int* volatile lent;
static sem_t given, returned;
static pthread_mutex_t unrelated = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static void lend(void) {
  int variable[8] = {0};
  lent = variable;
  sem_post(&given);
#ifdef WAITS
  sem_wait(&returned);
#endif
}

__attribute__((noinline)) static void work(void) {
  pthread_mutex_lock(&unrelated);
  pthread_mutex_unlock(&unrelated);
}

static void* user(void* unused) {
  sem_wait(&given);
  lent[3] += 1;
  sem_post(&returned);
  return unused;
}

static void* owner(void* unused) {
  work();
  lend();
  work();
#ifndef WAITS
  sem_wait(&returned);
#endif
  return unused;
}

int main(void) {
  pthread_t a, b;
  sem_init(&given, 0, 0);
  sem_init(&returned, 0, 0);
  pthread_create(&a, 0, owner, 0);
  pthread_create(&b, 0, user, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
