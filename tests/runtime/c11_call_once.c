// C11: call_once.
// EXPECT: verified
// ORACLE: native the ThreadSanitizer of this compiler does not know C11 threads
#include <assert.h>
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static int value;

static void initialise(void) { value++; }

static int work(void* unused) {
  (void)unused;
  call_once(&once, initialise);
  assert(value == 1);
  return 0;
}

int main(void) {
  thrd_t a, b;
  thrd_create(&a, work, 0);
  thrd_create(&b, work, 0);
  thrd_join(a, 0);
  thrd_join(b, 0);
  return 0;
}
