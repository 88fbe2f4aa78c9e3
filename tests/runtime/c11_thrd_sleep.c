// C11: thrd_sleep moves the virtual clock.
// EXPECT: verified
// TIMEOUT: 20
// ORACLE: none sleeps for an hour
#include <assert.h>
#include <threads.h>
#include <time.h>

int main(void) {
  struct timespec before, after, hour = {3600, 0};
  timespec_get(&before, TIME_UTC);
  assert(thrd_sleep(&hour, 0) == 0);
  timespec_get(&after, TIME_UTC);
  assert(after.tv_sec - before.tv_sec >= 3600);
  return 0;
}
