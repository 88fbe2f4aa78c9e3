// C11: a timed wait that nobody signals.
// EXPECT: verified
#include <assert.h>
#include <threads.h>
#include <time.h>

int main(void) {
  mtx_t lock;
  cnd_t never;
  struct timespec when;
  mtx_init(&lock, mtx_plain);
  cnd_init(&never);
  timespec_get(&when, TIME_UTC);
  when.tv_sec += 1;
  mtx_lock(&lock);
  assert(cnd_timedwait(&never, &lock, &when) == thrd_timedout);
  mtx_unlock(&lock);
  return 0;
}
