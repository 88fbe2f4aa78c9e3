// Indexer of Flanagan and Godefroid (POPL 2005, fig. 1): N threads insert four messages each into one hash table. Up to 11
// threads never collide, so there is one trace; each thread more multiplies the traces by eight.
#include <pthread.h>
#include <stdatomic.h>

enum { kSize = 128, kMessages = 4 };
static atomic_int table[kSize];

static void* indexer(void* argument) {
  int tid = (int)(long)argument;
  for (int m = 1; m <= kMessages; m++) {
    int w = m * 11 + tid;
    int h = (w * 7) % kSize;
    int empty = 0;
    while (!atomic_compare_exchange_strong(&table[h], &empty, w)) {
      empty = 0;
      h = (h + 1) % kSize;
    }
  }
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++) pthread_create(&t[i], 0, indexer, (void*)(i + 1));
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  return 0;
}
