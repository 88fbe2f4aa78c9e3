// sleep, usleep and nanosleep take virtual time only: an hour passes at once, and the clock shows it.
// EXPECT: verified
// TIMEOUT: 20
// ORACLE: none sleeps for hours
#define _GNU_SOURCE
#include <assert.h>
#include <time.h>
#include <unistd.h>

int main(void) {
  struct timespec before, after, hour = {3600, 0}, rest;
  clock_gettime(CLOCK_MONOTONIC, &before);
  assert(sleep(3600) == 0);
  assert(usleep(900000) == 0);
  assert(nanosleep(&hour, &rest) == 0);
  clock_gettime(CLOCK_MONOTONIC, &after);
  assert(after.tv_sec - before.tv_sec >= 7200);
  return 0;
}
