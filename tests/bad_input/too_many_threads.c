// More threads than the runtime can hold: said clearly.
// EXPECT: unsupported
// MESSAGE: (?i)thread
#include <pthread.h>

static void* work(void* unused) { return unused; }

int main(void) {
  pthread_t t[300];
  for (int i = 0; i < 300; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 300; i++) pthread_join(t[i], 0);
  return 0;
}
