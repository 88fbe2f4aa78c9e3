// C11: the value that a thread's function returns arrives at thrd_join, negative ones too.
// EXPECT: verified
// ORACLE: native the ThreadSanitizer of this compiler does not know C11 threads
#include <assert.h>
#include <threads.h>

static int work(void* unused) {
  (void)unused;
  return -3;
}

int main(void) {
  thrd_t t;
  int result = 0;
  thrd_create(&t, work, 0);
  thrd_join(t, &result);
  assert(result == -3);
  return 0;
}
