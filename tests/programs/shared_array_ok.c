// Two threads write to different elements of an array: one trace.
// EXPECT: verified
// EXECUTIONS: optimal=1
// EXECUTIONS(visible=all): optimal=1
#include <pthread.h>

enum { kSize = 8 };
static int array[kSize];

static void* fill(void* argument) {
  for (int i = (int)(long)argument; i < kSize; i += 2) array[i] = i;
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, fill, (void*)0L);
  pthread_create(&b, 0, fill, (void*)1L);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
