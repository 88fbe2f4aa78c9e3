// C11: wait, signal and broadcast.
// EXPECT: verified
// ORACLE: native the ThreadSanitizer of this compiler does not know C11 threads
#include <assert.h>
#include <threads.h>

static mtx_t lock;
static cnd_t changed;
static int stage;

static int work(void* unused) {
  (void)unused;
  mtx_lock(&lock);
  while (stage == 0) assert(cnd_wait(&changed, &lock) == thrd_success);
  stage = 2;
  assert(cnd_broadcast(&changed) == thrd_success);
  mtx_unlock(&lock);
  return 0;
}

int main(void) {
  thrd_t t;
  mtx_init(&lock, mtx_plain);
  assert(cnd_init(&changed) == thrd_success);
  thrd_create(&t, work, 0);
  mtx_lock(&lock);
  stage = 1;
  assert(cnd_signal(&changed) == thrd_success);
  while (stage != 2) cnd_wait(&changed, &lock);
  mtx_unlock(&lock);
  thrd_join(t, 0);
  cnd_destroy(&changed);
  return 0;
}
