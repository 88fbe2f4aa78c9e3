// Each thread appends its number to one word: every order of the appends leaves another value, so that states hardly repeat.
#include <pthread.h>
#include <stdatomic.h>

enum { kThreads = 3, kTimes = 2 };
static atomic_long word;

static void* append(void* number) {
  for (int i = 0; i < kTimes; ++i) {
    long seen = atomic_load(&word);
    while (!atomic_compare_exchange_strong(&word, &seen, seen * 4 + (long)number)) {
    }
  }
  return 0;
}

int main(void) {
  pthread_t threads[kThreads];
  for (long i = 0; i < kThreads; ++i) pthread_create(&threads[i], 0, append, (void*)(i + 1));
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], 0);
}
