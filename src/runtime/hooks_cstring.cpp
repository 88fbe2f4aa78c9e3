// Strings that end with 0: functions that copy, measure and compare them. Where accesses are scheduling points they work
// piece by piece (hooks_pieces.cpp); otherwise they tell what they access, and do it at once.
#define HEDDLE_DEFINES_MEM_FUNCTIONS
#include <string.h>

#include "runtime/hooks.h"
#include "runtime/pieces.h"
#include "runtime/real.h"

using namespace heddle::rt;

namespace {

constexpr size_t kAll = ~(size_t)0;

// A call from a library without instrumentation says nothing: its own synchronisation is unknown.
bool counts(uint64_t pc) { return running() && R().current && !R().in_runtime && instrumented(pc); }
bool goes_in_pieces(uint64_t pc) { return HEDDLE_UNLIKELY(running() && R().visible_mode) && counts(pc); }

void reads(const void* p, size_t n, uint64_t pc) { access(raw(p), n, false, pc); }
void writes(const void* p, size_t n, uint64_t pc) { access(raw(p), n, true, pc); }

void* real_strlen;
size_t length(const char* s) { return reinterpret_cast<size_t (*)(const char*)>(resolve(&real_strlen, "strlen"))(s); }

size_t bounded_length(const char* s, size_t most) {
  size_t n = 0;
  while (n < most && s[n]) ++n;
  return n;
}

char* copy(char* to, const char* from, uint64_t pc, size_t& copied) {
  if (goes_in_pieces(pc)) return copied = copy_string_in_pieces(to, from, kAll, pc), to;
  copied = length(from) + 1;
  if (counts(pc)) {
    reads(from, copied, pc);
    writes(to, copied, pc);
  }
  heddle_rt_memcpy(to, from, copied);
  return to;
}

void append_in_pieces(char* to, const char* from, size_t most, uint64_t pc) {
  char* end = to + length_in_pieces(to, kAll, pc);
  size_t copied = copy_string_in_pieces(end, from, most, pc);
  if (copied == most && (!most || end[most - 1])) set_in_pieces(end + most, 0, 1, pc);
}

int compare(const char* a, const char* b, size_t most, uint64_t pc) {
  if (goes_in_pieces(pc)) return compare_in_pieces(a, b, most, true, pc);
  size_t n = 0;
  while (n < most && a[n] && a[n] == b[n]) ++n;
  size_t seen = n < most ? n + 1 : n;
  if (counts(pc)) {
    reads(a, seen, pc);
    reads(b, seen, pc);
  }
  return n == most ? 0 : (unsigned char)a[n] - (unsigned char)b[n];
}

}  // namespace

HEDDLE_EXPORT size_t strlen(const char* s) {
  uint64_t pc = HEDDLE_PC;
  if (goes_in_pieces(pc)) return length_in_pieces(s, kAll, pc);
  size_t n = length(s);
  if (counts(pc)) reads(s, n + 1, pc);
  return n;
}
HEDDLE_EXPORT size_t strnlen(const char* s, size_t most) {
  uint64_t pc = HEDDLE_PC;
  if (goes_in_pieces(pc)) return length_in_pieces(s, most, pc);
  size_t n = bounded_length(s, most);
  if (counts(pc)) reads(s, n < most ? n + 1 : n, pc);
  return n;
}
HEDDLE_EXPORT char* strcpy(char* to, const char* from) {
  size_t copied;
  return copy(to, from, HEDDLE_PC, copied);
}
HEDDLE_EXPORT char* stpcpy(char* to, const char* from) {
  size_t copied;
  copy(to, from, HEDDLE_PC, copied);
  return to + copied - 1;
}
HEDDLE_EXPORT char* __stpcpy(char* to, const char* from) {
  size_t copied;
  copy(to, from, HEDDLE_PC, copied);
  return to + copied - 1;
}
HEDDLE_EXPORT char* strncpy(char* to, const char* from, size_t n) {
  uint64_t pc = HEDDLE_PC;
  if (goes_in_pieces(pc)) {
    size_t copied = copy_string_in_pieces(to, from, n, pc);
    return set_in_pieces(to + copied, 0, n - copied, pc), to;
  }
  size_t used = bounded_length(from, n);
  if (counts(pc)) {
    reads(from, used < n ? used + 1 : n, pc);
    writes(to, n, pc);
  }
  heddle_rt_memcpy(to, from, used);
  heddle_rt_memset(to + used, 0, n - used);
  return to;
}
HEDDLE_EXPORT char* strcat(char* to, const char* from) {
  uint64_t pc = HEDDLE_PC;
  if (goes_in_pieces(pc)) return append_in_pieces(to, from, kAll, pc), to;
  size_t had = length(to), n = length(from) + 1;
  if (counts(pc)) {
    reads(to, had + 1, pc);
    reads(from, n, pc);
    writes(to + had, n, pc);
  }
  heddle_rt_memcpy(to + had, from, n);
  return to;
}
HEDDLE_EXPORT char* strncat(char* to, const char* from, size_t most) {
  uint64_t pc = HEDDLE_PC;
  if (goes_in_pieces(pc)) return append_in_pieces(to, from, most, pc), to;
  size_t had = length(to), n = bounded_length(from, most);
  if (counts(pc)) {
    reads(to, had + 1, pc);
    reads(from, n < most ? n + 1 : n, pc);
    writes(to + had, n + 1, pc);
  }
  heddle_rt_memcpy(to + had, from, n);
  to[had + n] = 0;
  return to;
}
HEDDLE_EXPORT int strcmp(const char* a, const char* b) { return compare(a, b, kAll, HEDDLE_PC); }
HEDDLE_EXPORT int strncmp(const char* a, const char* b, size_t most) { return compare(a, b, most, HEDDLE_PC); }

namespace heddle::rt {

void cstring_hooks_prepare() { (void)resolve(&real_strlen, "strlen"); }

}  // namespace heddle::rt
