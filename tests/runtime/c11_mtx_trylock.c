// C11: trylock says thrd_busy, timedlock says thrd_timedout.
// EXPECT: verified
// ORACLE: native the ThreadSanitizer of this compiler does not know C11 threads
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t lock;

static int work(void* unused) {
  (void)unused;
  struct timespec when;
  assert(mtx_trylock(&lock) == thrd_busy);
  timespec_get(&when, TIME_UTC);
  when.tv_sec += 1;
  assert(mtx_timedlock(&lock, &when) == thrd_timedout);
  return 0;
}

int main(void) {
  thrd_t t;
  mtx_init(&lock, mtx_timed);
  assert(mtx_trylock(&lock) == thrd_success);
  thrd_create(&t, work, 0);
  thrd_join(t, 0);
  mtx_unlock(&lock);
  return 0;
}
