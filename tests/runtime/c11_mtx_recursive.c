// C11: a recursive mutex.
// EXPECT: verified
#include <assert.h>
#include <threads.h>

int main(void) {
  mtx_t lock;
  assert(mtx_init(&lock, mtx_plain | mtx_recursive) == thrd_success);
  assert(mtx_lock(&lock) == thrd_success && mtx_lock(&lock) == thrd_success);
  mtx_unlock(&lock);
  mtx_unlock(&lock);
  mtx_destroy(&lock);
  return 0;
}
