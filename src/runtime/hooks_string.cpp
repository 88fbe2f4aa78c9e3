// memcpy and friends, where they are called from instrumented code: their accesses count like the program's own.
#define HEDDLE_DEFINES_MEM_FUNCTIONS
#include <ctype.h>
#include <string.h>
#include <wchar.h>

#include "runtime/hooks.h"
#include "runtime/library/library.h"
#include "runtime/real.h"

using namespace heddle::rt;

namespace {

// A call from a library without instrumentation says nothing: its own synchronisation is unknown.
bool counts(uint64_t pc) { return running() && R().current && !R().in_runtime && instrumented(pc); }

void reads(const void* p, size_t n, uint64_t pc) { access(raw(p), n, false, pc); }
void writes(const void* p, size_t n, uint64_t pc) { access(raw(p), n, true, pc); }

size_t bounded_length(const char* s, size_t most) {
  size_t n = 0;
  while (n < most && s[n]) ++n;
  return n;
}

// How many characters a comparison without regard to case looks at: up to the first difference or the end.
size_t compared_length(const char* a, const char* b, size_t most) {
  size_t n = 0;
  while (n < most && a[n] && tolower((unsigned char)a[n]) == tolower((unsigned char)b[n])) ++n;
  return n < most ? n + 1 : n;
}

}  // namespace

#define COUNT(pc) uint64_t pc = HEDDLE_PC; if (counts(pc))

HEDDLE_EXPORT void* memcpy(void* to, const void* from, size_t n) {
  COUNT(pc) { reads(from, n, pc); writes(to, n, pc); }
  return heddle_rt_memcpy(to, from, n);
}
HEDDLE_EXPORT void* memmove(void* to, const void* from, size_t n) {
  COUNT(pc) { reads(from, n, pc); writes(to, n, pc); }
  return heddle_rt_memmove(to, from, n);
}
HEDDLE_EXPORT void* memset(void* to, int byte, size_t n) {
  COUNT(pc) writes(to, n, pc);
  return heddle_rt_memset(to, byte, n);
}
HEDDLE_EXPORT void* __tsan_memcpy(void* to, const void* from, size_t n) {
  COUNT(pc) { reads(from, n, pc); writes(to, n, pc); }
  return heddle_rt_memcpy(to, from, n);
}
HEDDLE_EXPORT void* __tsan_memmove(void* to, const void* from, size_t n) {
  COUNT(pc) { reads(from, n, pc); writes(to, n, pc); }
  return heddle_rt_memmove(to, from, n);
}
HEDDLE_EXPORT void* __tsan_memset(void* to, int byte, size_t n) {
  COUNT(pc) writes(to, n, pc);
  return heddle_rt_memset(to, byte, n);
}
HEDDLE_EXPORT int memcmp(const void* a, const void* b, size_t n) {
  COUNT(pc) { reads(a, n, pc); reads(b, n, pc); }
  return heddle_rt_memcmp(a, b, n);
}
HEDDLE_EXPORT size_t strlen(const char* s) {
  size_t n = REAL(strlen)(s);
  COUNT(pc) reads(s, n + 1, pc);
  return n;
}
HEDDLE_EXPORT size_t strnlen(const char* s, size_t most) {
  size_t n = bounded_length(s, most);
  COUNT(pc) reads(s, n < most ? n + 1 : n, pc);
  return n;
}
HEDDLE_EXPORT char* strcpy(char* to, const char* from) {
  size_t n = length_of(from) + 1;
  COUNT(pc) { reads(from, n, pc); writes(to, n, pc); }
  heddle_rt_memcpy(to, from, n);
  return to;
}
HEDDLE_EXPORT char* stpcpy(char* to, const char* from) {
  size_t n = length_of(from) + 1;
  COUNT(pc) { reads(from, n, pc); writes(to, n, pc); }
  heddle_rt_memcpy(to, from, n);
  return to + n - 1;
}
HEDDLE_EXPORT char* strncpy(char* to, const char* from, size_t n) {
  size_t used = bounded_length(from, n);
  COUNT(pc) { reads(from, used < n ? used + 1 : n, pc); writes(to, n, pc); }
  heddle_rt_memcpy(to, from, used);
  heddle_rt_memset(to + used, 0, n - used);
  return to;
}
HEDDLE_EXPORT char* strcat(char* to, const char* from) {
  size_t had = length_of(to), n = length_of(from) + 1;
  COUNT(pc) { reads(to, had + 1, pc); reads(from, n, pc); writes(to + had, n, pc); }
  heddle_rt_memcpy(to + had, from, n);
  return to;
}
HEDDLE_EXPORT char* strncat(char* to, const char* from, size_t most) {
  size_t had = length_of(to), n = bounded_length(from, most);
  COUNT(pc) { reads(to, had + 1, pc); reads(from, n, pc); writes(to + had, n + 1, pc); }
  heddle_rt_memcpy(to + had, from, n);
  to[had + n] = 0;
  return to;
}
HEDDLE_EXPORT int strcmp(const char* a, const char* b) {
  size_t n = 0;
  while (a[n] && a[n] == b[n]) ++n;
  COUNT(pc) { reads(a, n + 1, pc); reads(b, n + 1, pc); }
  return (unsigned char)a[n] - (unsigned char)b[n];
}
HEDDLE_EXPORT int strncmp(const char* a, const char* b, size_t most) {
  size_t n = 0;
  while (n < most && a[n] && a[n] == b[n]) ++n;
  size_t seen = n < most ? n + 1 : n;
  COUNT(pc) { reads(a, seen, pc); reads(b, seen, pc); }
  return n == most ? 0 : (unsigned char)a[n] - (unsigned char)b[n];
}
HEDDLE_EXPORT int strcasecmp(const char* a, const char* b) {
  size_t n = compared_length(a, b, ~(size_t)0);
  COUNT(pc) { reads(a, n, pc); reads(b, n, pc); }
  return REAL(strcasecmp)(a, b);
}
HEDDLE_EXPORT int strncasecmp(const char* a, const char* b, size_t most) {
  size_t n = compared_length(a, b, most);
  COUNT(pc) { reads(a, n, pc); reads(b, n, pc); }
  return REAL(strncasecmp)(a, b, most);
}
HEDDLE_EXPORT char* strdup(const char* s) {
  size_t n = length_of(s) + 1;
  uint64_t pc = HEDDLE_PC;
  if (counts(pc)) reads(s, n, pc);
  void* p = passive() ? nullptr : heap_allocate(n, 16, pc);
  if (passive()) return REAL(strdup)(s);
  if (!p) return nullptr;
  heddle_rt_memcpy(p, s, n);
  if (counts(pc)) library::wrote(p, n, pc);
  return static_cast<char*>(p);
}

// Finding characters: the libc++ of C and of C++ declare these differently; give them their plain names.
extern "C" {
using FindByte = void* (*)(const void*, int, size_t);
using FindChar = char* (*)(const char*, int);
using FindString = char* (*)(const char*, const char*);
}
namespace {
void *real_memchr, *real_strchr, *real_strrchr, *real_strstr;
}
#define NEXT(type, name) (reinterpret_cast<type>(resolve(&real_##name, #name)))

extern "C" __attribute__((visibility("default"), weak)) void* heddle_memchr(const void* s, int c, size_t n) __asm__("memchr");
void* heddle_memchr(const void* s, int c, size_t n) {
  void* found = NEXT(FindByte, memchr)(s, c, n);
  COUNT(pc) reads(s, found ? (size_t)(static_cast<char*>(found) - static_cast<const char*>(s)) + 1 : n, pc);
  return found;
}
extern "C" __attribute__((visibility("default"), weak)) char* heddle_strchr(const char* s, int c) __asm__("strchr");
char* heddle_strchr(const char* s, int c) {
  char* found = NEXT(FindChar, strchr)(s, c);
  COUNT(pc) reads(s, found ? (size_t)(found - s) + 1 : length_of(s) + 1, pc);
  return found;
}
extern "C" __attribute__((visibility("default"), weak)) char* heddle_strrchr(const char* s, int c) __asm__("strrchr");
char* heddle_strrchr(const char* s, int c) {
  COUNT(pc) reads(s, length_of(s) + 1, pc);
  return NEXT(FindChar, strrchr)(s, c);
}
extern "C" __attribute__((visibility("default"), weak)) char* heddle_strstr(const char* a, const char* b) __asm__("strstr");
char* heddle_strstr(const char* a, const char* b) {
  char* found = NEXT(FindString, strstr)(a, b);
  size_t wanted = length_of(b);
  COUNT(pc) { reads(a, found ? (size_t)(found - a) + wanted : length_of(a) + 1, pc); reads(b, wanted + 1, pc); }
  return found;
}

namespace heddle::rt {

void string_hooks_prepare() {
  (void)REAL(strlen);
  (void)REAL(strcasecmp);
  (void)REAL(strncasecmp);
  (void)NEXT(FindByte, memchr);
  (void)NEXT(FindChar, strchr);
  (void)NEXT(FindChar, strrchr);
  (void)NEXT(FindString, strstr);
}

}  // namespace heddle::rt
