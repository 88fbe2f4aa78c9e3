// The stack of a thread is memory of the program's own. Its contents may be used when the thread has ended.
// EXPECT: verified
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 1 << 17 };

static void* run(void* unused) { return unused; }

int main(void) {
  char* stack = aligned_alloc(4096, BYTES);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack, BYTES);
  for (int i = 0; i < 2; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, &attributes, run, 0)) return 1;
    pthread_join(thread, 0);
    memset(stack, i, BYTES);
  }
  pthread_attr_destroy(&attributes);
  free(stack);
  return 0;
}
