// All clocks are one virtual clock that never runs backwards; a sleep moves every one of them.
// EXPECT: verified
// ORACLE: none sleeps for an hour
// TIMEOUT: 20
#define _GNU_SOURCE
#include <assert.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int main(void) {
  struct timeval day;
  struct timespec utc;
  time_t seconds = time(0), again;
  assert(gettimeofday(&day, 0) == 0 && day.tv_sec >= seconds);
  sleep(3600);
  assert(time(&again) == again && again >= seconds + 3600);
  struct timeval later;
  gettimeofday(&later, 0);
  assert(later.tv_sec >= day.tv_sec + 3600);
  timespec_get(&utc, TIME_UTC);
  assert(utc.tv_sec >= seconds + 3600);
  struct timespec resolution;
  assert(clock_getres(CLOCK_MONOTONIC, &resolution) == 0);
  return 0;
}
