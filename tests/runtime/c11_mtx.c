// C11: a plain mutex excludes and orders.
// EXPECT: verified
// ORACLE: native the ThreadSanitizer of this compiler does not know C11 threads
#include <assert.h>
#include <threads.h>

static mtx_t lock;
static int total;

static int work(void* unused) {
  (void)unused;
  assert(mtx_lock(&lock) == thrd_success);
  total++;
  assert(mtx_unlock(&lock) == thrd_success);
  return 0;
}

int main(void) {
  thrd_t a, b;
  assert(mtx_init(&lock, mtx_plain) == thrd_success);
  thrd_create(&a, work, 0);
  thrd_create(&b, work, 0);
  thrd_join(a, 0);
  thrd_join(b, 0);
  assert(total == 2);
  mtx_destroy(&lock);
  return 0;
}
