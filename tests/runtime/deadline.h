// Points in time for the timed functions.
#pragma once
#include <time.h>

// `seconds` from now on this clock; negative: in the past.
static inline struct timespec deadline(clockid_t clock, int seconds) {
  struct timespec when;
  clock_gettime(clock, &when);
  when.tv_sec += seconds;
  return when;
}
