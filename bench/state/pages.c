// PAGES pages that main fills once and threads then leave alone, and one that they change.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long sum;
static char* table;

static void* work(void* step) {
  for (int i = 0; i < 30; i++) {
    pthread_mutex_lock(&lock);
    sum += table[(i % PAGES) * 4096L] * (long)step;
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

int main(void) {
  table = malloc(PAGES * 4096L);
  for (long i = 0; i < PAGES; i++) table[i * 4096] = 1;
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, work, (void*)(i + 1));
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
