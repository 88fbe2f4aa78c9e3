// A thread lends a variable of its own to another one, by semaphore. GIVES_BACK: and waits until it has it back.
#include <pthread.h>
#include <semaphore.h>

static int* volatile lent;
static sem_t given, returned;

static void* owner(void* unused) {
  int variable = 1;
  lent = &variable;
  sem_post(&given);
#ifdef GIVES_BACK
  sem_wait(&returned);
#endif
  return unused;
}

static void* user(void* unused) {
  sem_wait(&given);
  *lent += 1;
  sem_post(&returned);
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
