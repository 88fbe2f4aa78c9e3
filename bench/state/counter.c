// Three threads increment a variable three times each, unprotected.
#include <pthread.h>

static volatile int x;

static void* count(void* unused) {
  for (int i = 0; i < 3; i++) x++;
  return unused;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, count, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
