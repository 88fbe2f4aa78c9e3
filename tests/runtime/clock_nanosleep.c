// clock_nanosleep, relative and until a point in time.
// EXPECT: verified
// TIMEOUT: 20
// ORACLE: none sleeps for hours
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <time.h>

int main(void) {
  struct timespec now, hour = {3600, 0};
  assert(clock_nanosleep(CLOCK_REALTIME, 0, &hour, 0) == 0);
  clock_gettime(CLOCK_MONOTONIC, &now);
  struct timespec until = now;
  until.tv_sec += 3600;
  assert(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, 0) == 0);
  clock_gettime(CLOCK_MONOTONIC, &now);
  assert(now.tv_sec >= until.tv_sec);
  struct timespec wrong = {0, 2000000000};
  assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &wrong, 0) == EINVAL);
  return 0;
}
