// A loop that goes on for ever while it writes: bounded, and said so.
// EXPECT: within-bound
// OPTIONS: --algorithm=dfs --max-steps=100
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  for (;;) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
  }
}
