// C11: a detached thread may outlive main.
// EXPECT: verified
// ORACLE: native the ThreadSanitizer of this compiler does not know C11 threads
#include <assert.h>
#include <threads.h>

static int work(void* unused) {
  (void)unused;
  return 0;
}

int main(void) {
  thrd_t t;
  assert(thrd_create(&t, work, 0) == thrd_success);
  assert(thrd_detach(t) == thrd_success);
  return 0;
}
