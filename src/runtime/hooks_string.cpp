// memcpy and its like, where they are called from instrumented code: their accesses count like the program's own.
#define HEDDLE_DEFINES_MEM_FUNCTIONS
#include <string.h>

#include "runtime/hooks.h"
#include "runtime/library/library.h"
#include "runtime/pieces.h"
#include "runtime/real.h"

using namespace heddle::rt;

namespace {

// A call from a library without instrumentation says nothing: its own synchronisation is unknown.
bool counts(uint64_t pc) { return running() && R().current && !R().in_runtime && instrumented(pc); }

bool steps_are_wanted() { return running() && R().visible_mode; }

void reads(const void* p, size_t n, uint64_t pc) { access(raw(p), n, false, pc); }
void writes(const void* p, size_t n, uint64_t pc) { access(raw(p), n, true, pc); }

}  // namespace

// Where accesses are scheduling points, the work is done in steps instead, before anything has been looked at.
#define STEPS(pc)          \
  uint64_t pc = HEDDLE_PC; \
  if (HEDDLE_UNLIKELY(steps_are_wanted()) && counts(pc))
#define COUNT(pc)          \
  uint64_t pc = HEDDLE_PC; \
  if (counts(pc))

HEDDLE_EXPORT void* memcpy(void* to, const void* from, size_t n) {
  STEPS(place) return copy_in_pieces(to, from, n, place), to;
  COUNT(pc) {
    reads(from, n, pc);
    writes(to, n, pc);
  }
  return heddle_rt_memcpy(to, from, n);
}
HEDDLE_EXPORT void* memmove(void* to, const void* from, size_t n) {
  STEPS(place) return copy_in_pieces(to, from, n, place), to;
  COUNT(pc) {
    reads(from, n, pc);
    writes(to, n, pc);
  }
  return heddle_rt_memmove(to, from, n);
}
HEDDLE_EXPORT void* memset(void* to, int byte, size_t n) {
  STEPS(place) return set_in_pieces(to, byte, n, place), to;
  COUNT(pc) writes(to, n, pc);
  return heddle_rt_memset(to, byte, n);
}
HEDDLE_EXPORT void* __tsan_memcpy(void* to, const void* from, size_t n) {
  STEPS(place) return copy_in_pieces(to, from, n, place), to;
  COUNT(pc) {
    reads(from, n, pc);
    writes(to, n, pc);
  }
  return heddle_rt_memcpy(to, from, n);
}
HEDDLE_EXPORT void* __tsan_memmove(void* to, const void* from, size_t n) {
  STEPS(place) return copy_in_pieces(to, from, n, place), to;
  COUNT(pc) {
    reads(from, n, pc);
    writes(to, n, pc);
  }
  return heddle_rt_memmove(to, from, n);
}
HEDDLE_EXPORT void* __tsan_memset(void* to, int byte, size_t n) {
  STEPS(place) return set_in_pieces(to, byte, n, place), to;
  COUNT(pc) writes(to, n, pc);
  return heddle_rt_memset(to, byte, n);
}
HEDDLE_EXPORT int memcmp(const void* a, const void* b, size_t n) {
  STEPS(place) return compare_in_pieces(a, b, n, false, place);
  COUNT(pc) {
    reads(a, n, pc);
    reads(b, n, pc);
  }
  return heddle_rt_memcmp(a, b, n);
}
// The rest of <string.h> is made of library/functions.txt. This one's block is the caller's own, not the C library's.
HEDDLE_EXPORT char* strdup(const char* s) {
  uint64_t pc = HEDDLE_PC;
  if (passive()) return REAL(strdup)(s);
  if (counts(pc)) reads(s, length_of(s) + 1, pc);
  size_t n = length_of(s) + 1;  // as it is now that it was this thread's turn
  void* p = heap_allocate(n, 16, pc);
  if (!p) return nullptr;
  heddle_rt_memcpy(p, s, n);
  if (counts(pc)) library::wrote(p, n, pc);
  return static_cast<char*>(p);
}

namespace heddle::rt {

void string_hooks_prepare() { (void)REAL(strdup); }

}  // namespace heddle::rt
