// One thread takes all memory under a lock that the others use, too: interrupted wherever it is, at a different step each time.
// EXPECT: bug crash
// MESSAGE: out of memory
// OPTIONS: --target-memory=64M --algorithm=random --max-executions=20
// TIMEOUT: 60
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int turns;

static void* eater(void* unused) {
  for (;;) {
    pthread_mutex_lock(&lock);
    char* block = malloc(1 << 16);
    if (block) memset(block, 1, 1 << 16);
    ++turns;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void* worker(void* unused) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&lock);
    ++turns;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, worker, 0);
  pthread_create(&t[1], 0, eater, 0);
  pthread_create(&t[2], 0, worker, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
