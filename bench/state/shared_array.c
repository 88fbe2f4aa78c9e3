// 000 sec. 6: two threads in loops write elements of one shared array.
#include <pthread.h>

#define N 16
static int array[2 * N];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* fill(void* which) {
  for (long i = 0; i < N; i++) {
    pthread_mutex_lock(&lock);
    array[2 * i + (long)which] = (int)i;
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, fill, (void*)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
