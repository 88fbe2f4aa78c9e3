// Time is virtual: it advances by sleeping and a little with every look at a clock, and travels along happens-before.
// Randomness comes from the seed, separately for each thread.
#include <errno.h>
#include <sys/random.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "runtime/hooks.h"
#include "runtime/library/library.h"
#include "runtime/real.h"

using namespace heddle::rt;

namespace {

void set(timespec* out, uint64_t ns) {
  out->tv_sec = (time_t)(ns / 1'000'000'000);
  out->tv_nsec = (long)(ns % 1'000'000'000);
}

uint64_t now_on(clockid_t clock) {
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_TAI: return kRealtimeStart + virtual_time();
    case CLOCK_PROCESS_CPUTIME_ID:
    case CLOCK_THREAD_CPUTIME_ID: return virtual_time();
    default: return kMonotonicStart + virtual_time();
  }
}

}  // namespace

namespace heddle::rt {

uint64_t program_random() {
  Thread& t = self();
  ++R().writes;  // a loop that draws numbers does not come back to the same state
  uint64_t z = R().segment->options.random_seed + ((uint64_t)t.slot << 40) + ++t.randoms * 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace heddle::rt

HEDDLE_EXPORT int clock_gettime(clockid_t clock, timespec* out) {
  if (passive()) return REAL(clock_gettime)(clock, out);
  library::caller_writes(out, sizeof *out, HEDDLE_PC);
  set(out, now_on(clock));
  return 0;
}
HEDDLE_EXPORT int clock_getres(clockid_t clock, timespec* out) {
  if (passive()) return REAL(clock_getres)(clock, out);
  library::caller_writes(out, sizeof *out, HEDDLE_PC);
  if (out) set(out, 1);
  return 0;
}
HEDDLE_EXPORT int timespec_get(timespec* out, int base) {
  if (passive()) return REAL(timespec_get)(out, base);
  if (base != TIME_UTC) return 0;
  library::caller_writes(out, sizeof *out, HEDDLE_PC);
  set(out, now_on(CLOCK_REALTIME));
  return base;
}
HEDDLE_EXPORT int gettimeofday(timeval* out, void* zone) {
  if (passive()) return REAL(gettimeofday)(out, zone);
  library::caller_writes(out, sizeof *out, HEDDLE_PC);
  uint64_t ns = now_on(CLOCK_REALTIME);
  out->tv_sec = (time_t)(ns / 1'000'000'000);
  out->tv_usec = (suseconds_t)(ns / 1000 % 1'000'000);
  return 0;
}
HEDDLE_EXPORT time_t time(time_t* out) {
  if (passive()) return REAL(time)(out);
  library::caller_writes(out, sizeof *out, HEDDLE_PC);
  auto now = (time_t)(now_on(CLOCK_REALTIME) / 1'000'000'000);
  if (out) *out = now;
  return now;
}
HEDDLE_EXPORT clock_t clock(void) { return passive() ? REAL(clock)() : (clock_t)(virtual_time() / 1000); }
HEDDLE_EXPORT clock_t times(tms* out) {
  if (passive()) return REAL(times)(out);
  library::caller_writes(out, sizeof *out, HEDDLE_PC);
  auto ticks = (clock_t)(virtual_time() / 10'000'000);
  if (out) *out = {ticks, 0, 0, 0};
  return ticks;
}

HEDDLE_EXPORT int nanosleep(const timespec* duration, timespec* left) {
  if (passive()) return REAL(nanosleep)(duration, left);
  library::caller_reads(duration, sizeof *duration, HEDDLE_PC);
  if (!valid(duration)) {
    errno = EINVAL;
    return -1;
  }
  waited_for(nanoseconds(*duration));
  return 0;
}
HEDDLE_EXPORT int clock_nanosleep(clockid_t clock, int flags, const timespec* duration, timespec* left) {
  if (passive()) return REAL(clock_nanosleep)(clock, flags, duration, left);
  library::caller_reads(duration, sizeof *duration, HEDDLE_PC);
  if (!valid(duration)) return EINVAL;
  if (flags & TIMER_ABSTIME) waited_until(clock, *duration);
  else waited_for(nanoseconds(*duration));
  return 0;
}
HEDDLE_EXPORT int usleep(useconds_t us) {
  if (passive()) return REAL(usleep)(us);
  waited_for(us * 1000ULL);
  return 0;
}
HEDDLE_EXPORT unsigned sleep(unsigned s) {
  if (passive()) return REAL(sleep)(s);
  waited_for(s * 1'000'000'000ULL);
  return 0;
}

HEDDLE_EXPORT ssize_t getrandom(void* out, size_t n, unsigned flags) {
  if (passive()) return REAL(getrandom)(out, n, flags);
  library::caller_writes(out, n, HEDDLE_PC);
  for (size_t i = 0; i < n; ++i) static_cast<unsigned char*>(out)[i] = (unsigned char)program_random();
  return (ssize_t)n;
}
HEDDLE_EXPORT int getentropy(void* out, size_t n) {
  if (passive()) return REAL(getentropy)(out, n);
  library::caller_writes(out, n, HEDDLE_PC);
  for (size_t i = 0; i < n; ++i) static_cast<unsigned char*>(out)[i] = (unsigned char)program_random();
  return 0;
}
extern "C" {
uint32_t arc4random(void);
unsigned _ZNSt13random_device9_M_getvalEv(void*);
}
HEDDLE_EXPORT uint32_t arc4random(void) { return passive() ? REAL(arc4random)() : (uint32_t)program_random(); }
HEDDLE_EXPORT unsigned _ZNSt13random_device9_M_getvalEv(void* device) {
  return passive() ? REAL(_ZNSt13random_device9_M_getvalEv)(device) : (unsigned)program_random();
}
