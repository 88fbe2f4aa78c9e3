// Uses of hidden objects that take more than a row of library/state.txt: the time zone, closing and copying what is open, the
// locks of streams.
#undef _FORTIFY_SOURCE
#include <stdio.h>
#include <unistd.h>

#include "runtime/library/hidden_uses.h"
#include "runtime/real.h"

using namespace heddle::rt;

namespace {

// Functions that set the time zone set it from the environment, to what it was before as long as that stays the same. In the
// program's memory: each run begins anew.
bool g_environment_changed;

}  // namespace

namespace heddle::rt::library {

void environment_changes(const HiddenCall& call) {
  if (call.counts()) g_environment_changed = true;
}
void sets_time_zone(const HiddenCall& call) {
  call.unsafe(Hidden::Environment, Use::Look);
  if (g_environment_changed) call.safe(Hidden::TimeZone, Use::Change);
}
void reads_time_zone(const HiddenCall& call) {
  if (g_environment_changed) call.safe(Hidden::TimeZone, Use::Look);
}

}  // namespace heddle::rt::library

// ---- what is closed and copied

HEDDLE_EXPORT int fclose(FILE* stream) {
  int fd = REAL(fileno)(stream);
  { StreamCall call("fclose", stream, StreamUse::Write, true, HEDDLE_PC); }
  int result = REAL(fclose)(stream);
  descriptor_closed(fd);
  return result;
}
HEDDLE_EXPORT FILE* tmpfile(void) {
  FILE* stream = REAL(tmpfile)();
  stream_opened(stream);
  return stream;
}
HEDDLE_EXPORT FILE* tmpfile64(void) {
  FILE* stream = REAL(tmpfile64)();
  stream_opened(stream);
  return stream;
}
HEDDLE_EXPORT int close(int fd) {
  int result = REAL(close)(fd);
  descriptor_closed(fd);
  return result;
}
HEDDLE_EXPORT int dup(int fd) {
  int copy = REAL(dup)(fd);
  descriptor_copied(fd, copy);
  return copy;
}
HEDDLE_EXPORT int dup2(int fd, int to) {
  int copy = REAL(dup2)(fd, to);
  descriptor_copied(fd, copy);
  return copy;
}
HEDDLE_EXPORT int dup3(int fd, int to, int flags) {
  int copy = REAL(dup3)(fd, to, flags);
  descriptor_copied(fd, copy);
  return copy;
}

// ---- locks of streams

HEDDLE_EXPORT void flockfile(FILE* stream) {
  if (!hidden_counts()) return REAL(flockfile)(stream);
  lock_stream(stream, HEDDLE_PC);
}
HEDDLE_EXPORT int ftrylockfile(FILE* stream) {
  if (!hidden_counts()) return REAL(ftrylockfile)(stream);
  return try_lock_stream(stream, HEDDLE_PC) ? 0 : -1;
}
HEDDLE_EXPORT void funlockfile(FILE* stream) {
  if (!hidden_counts()) return REAL(funlockfile)(stream);
  unlock_stream(stream, HEDDLE_PC);
}

namespace heddle::rt {

// Before the first run: what is found during a run is rolled back, and would be looked for again in the next.
void hidden_calls_prepare() {
  (void)REAL(fileno);
  (void)REAL(fclose);
  (void)REAL(tmpfile);
  (void)REAL(tmpfile64);
  (void)REAL(close);
  (void)REAL(dup);
  (void)REAL(dup2);
  (void)REAL(dup3);
}

}  // namespace heddle::rt
