// What the functions of <stdio.h> and read() and write() do to the program's memory: libc is not instrumented, so the buffers and
// strings that instrumented code gives to it are looked at here. What they print or read is none of our business.
#undef _FORTIFY_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "runtime/hidden_files.h"
#include "runtime/hooks.h"
#include "runtime/library/library.h"
#include "runtime/real.h"

using namespace heddle::rt;

extern "C" {
int __vsnprintf_chk(char*, size_t, int, size_t, const char*, va_list);
int __vsprintf_chk(char*, int, size_t, const char*, va_list);
int __vfprintf_chk(FILE*, int, const char*, va_list);
int __vprintf_chk(int, const char*, va_list);
}

namespace {

// gcc 12 cannot instantiate RealOf for functions that are declared with a format attribute: named caches instead.
void *real_vsnprintf, *real_vsprintf, *real_vfprintf, *real___vsnprintf_chk, *real___vsprintf_chk, *real___vfprintf_chk, *real_fputs, *real_puts, *real_fwrite, *real_fread, *real_fgets, *real_read, *real_write;
#define NEXT(f) (reinterpret_cast<decltype(&::f)>(resolve(&real_##f, #f)))

bool counts(uint64_t pc) { return running() && R().current && !R().in_runtime && instrumented(pc); }
void reads(const void* p, uint64_t n, uint64_t pc) { access(raw(p), n, false, pc); }
void writes(const void* p, uint64_t n, uint64_t pc) { access(raw(p), n, true, pc); }

void reads_string(const char* s, uint64_t most, uint64_t pc) {
  uint64_t n = 0;
  while (n < most && s[n]) ++n;
  reads(s, n < most ? n + 1 : n, pc);
}

void reads_format(const char* format, va_list arguments, uint64_t pc) {
  if (counts(pc)) library::announce_format(format, arguments, pc);
}

// The result must be known before it is written: the access is announced before it is made.
void writes_text(char* to, size_t room, const char* format, va_list arguments, uint64_t pc) {
  if (!counts(pc)) return;
  library::announce_format(format, arguments, pc);
  if (!room) return;
  va_list again;
  va_copy(again, arguments);
  int length = NEXT(vsnprintf)(nullptr, 0, format, again);
  va_end(again);
  if (length >= 0) writes(to, (size_t)length < room ? (size_t)length + 1 : room, pc);
}

}  // namespace

#define WITH_ARGUMENTS(last, ...) \
  va_list arguments;              \
  va_start(arguments, last);      \
  int result = __VA_ARGS__;       \
  va_end(arguments);              \
  return result

// ---- into memory

namespace {
int print_to(char* to, size_t n, const char* format, va_list arguments, uint64_t pc) {
  writes_text(to, n, format, arguments, pc);
  return NEXT(vsnprintf)(to, n, format, arguments);
}
int print_to_unbounded(char* to, const char* format, va_list arguments, uint64_t pc) {
  writes_text(to, ~0ULL, format, arguments, pc);
  return NEXT(vsprintf)(to, format, arguments);
}
int print_to_checked(char* to, size_t n, int flag, size_t size, const char* format, va_list arguments, uint64_t pc) {
  writes_text(to, n, format, arguments, pc);
  return NEXT(__vsnprintf_chk)(to, n, flag, size, format, arguments);
}
int print_to_unbounded_checked(char* to, int flag, size_t size, const char* format, va_list arguments, uint64_t pc) {
  writes_text(to, ~0ULL, format, arguments, pc);
  return NEXT(__vsprintf_chk)(to, flag, size, format, arguments);
}
}  // namespace

HEDDLE_EXPORT int vsnprintf(char* to, size_t n, const char* f, va_list a) { return print_to(to, n, f, a, HEDDLE_PC); }
HEDDLE_EXPORT int snprintf(char* to, size_t n, const char* f, ...) { WITH_ARGUMENTS(f, print_to(to, n, f, arguments, HEDDLE_PC)); }
HEDDLE_EXPORT int vsprintf(char* to, const char* f, va_list a) { return print_to_unbounded(to, f, a, HEDDLE_PC); }
HEDDLE_EXPORT int sprintf(char* to, const char* f, ...) { WITH_ARGUMENTS(f, print_to_unbounded(to, f, arguments, HEDDLE_PC)); }
HEDDLE_EXPORT int __vsnprintf_chk(char* to, size_t n, int flag, size_t size, const char* f, va_list a) {
  return print_to_checked(to, n, flag, size, f, a, HEDDLE_PC);
}
extern "C" int __snprintf_chk(char*, size_t, int, size_t, const char*, ...);
HEDDLE_EXPORT int __snprintf_chk(char* to, size_t n, int flag, size_t size, const char* f, ...) {
  WITH_ARGUMENTS(f, print_to_checked(to, n, flag, size, f, arguments, HEDDLE_PC));
}
HEDDLE_EXPORT int __vsprintf_chk(char* to, int flag, size_t size, const char* f, va_list a) {
  return print_to_unbounded_checked(to, flag, size, f, a, HEDDLE_PC);
}
extern "C" int __sprintf_chk(char*, int, size_t, const char*, ...);
HEDDLE_EXPORT int __sprintf_chk(char* to, int flag, size_t size, const char* f, ...) {
  WITH_ARGUMENTS(f, print_to_unbounded_checked(to, flag, size, f, arguments, HEDDLE_PC));
}

// ---- to a stream

namespace {
int print_on(FILE* stream, const char* format, va_list arguments, uint64_t pc) {
  reads_format(format, arguments, pc);
  StreamCall call("fprintf", stream, StreamUse::Write, true, pc);
  return NEXT(vfprintf)(stream, format, arguments);
}
int print_on_checked(FILE* stream, int flag, const char* format, va_list arguments, uint64_t pc) {
  reads_format(format, arguments, pc);
  StreamCall call("fprintf", stream, StreamUse::Write, true, pc);
  return NEXT(__vfprintf_chk)(stream, flag, format, arguments);
}
}  // namespace

HEDDLE_EXPORT int vfprintf(FILE* s, const char* f, va_list a) { return print_on(s, f, a, HEDDLE_PC); }
HEDDLE_EXPORT int fprintf(FILE* s, const char* f, ...) { WITH_ARGUMENTS(f, print_on(s, f, arguments, HEDDLE_PC)); }
HEDDLE_EXPORT int vprintf(const char* f, va_list a) { return print_on(stdout, f, a, HEDDLE_PC); }
HEDDLE_EXPORT int printf(const char* f, ...) { WITH_ARGUMENTS(f, print_on(stdout, f, arguments, HEDDLE_PC)); }
HEDDLE_EXPORT int __vfprintf_chk(FILE* s, int flag, const char* f, va_list a) { return print_on_checked(s, flag, f, a, HEDDLE_PC); }
extern "C" int __fprintf_chk(FILE*, int, const char*, ...);
HEDDLE_EXPORT int __fprintf_chk(FILE* s, int flag, const char* f, ...) {
  WITH_ARGUMENTS(f, print_on_checked(s, flag, f, arguments, HEDDLE_PC));
}
extern "C" int __printf_chk(int, const char*, ...);
HEDDLE_EXPORT int __printf_chk(int flag, const char* f, ...) {
  WITH_ARGUMENTS(f, print_on_checked(stdout, flag, f, arguments, HEDDLE_PC));
}
HEDDLE_EXPORT int fputs(const char* text, FILE* stream) {
  uint64_t pc = HEDDLE_PC;
  if (counts(pc)) reads_string(text, ~0ULL, pc);
  StreamCall call("fputs", stream, StreamUse::Write, true, pc);
  return NEXT(fputs)(text, stream);
}
HEDDLE_EXPORT int puts(const char* text) {
  uint64_t pc = HEDDLE_PC;
  if (counts(pc)) reads_string(text, ~0ULL, pc);
  StreamCall call("puts", stdout, StreamUse::Write, true, pc);
  return NEXT(puts)(text);
}
HEDDLE_EXPORT size_t fwrite(const void* from, size_t size, size_t n, FILE* stream) {
  uint64_t pc = HEDDLE_PC;
  if (counts(pc)) reads(from, size * n, pc);
  StreamCall call("fwrite", stream, StreamUse::Write, true, pc);
  return NEXT(fwrite)(from, size, n, stream);
}

// ---- from a stream: how much was read is known only afterwards

HEDDLE_EXPORT size_t fread(void* to, size_t size, size_t n, FILE* stream) {
  uint64_t pc = HEDDLE_PC;
  StreamCall call("fread", stream, StreamUse::Read, true, pc);
  if (counts(pc)) library::will_write(to, size * n, pc);
  size_t got = NEXT(fread)(to, size, n, stream);
  if (counts(pc)) library::wrote(to, size * got, pc);
  return got;
}
HEDDLE_EXPORT char* fgets(char* to, int n, FILE* stream) {
  uint64_t pc = HEDDLE_PC;
  StreamCall call("fgets", stream, StreamUse::Read, true, pc);
  if (counts(pc)) library::will_write(to, (uint64_t)n, pc);
  char* got = NEXT(fgets)(to, n, stream);
  if (got && counts(pc)) library::wrote(to, length_of(got) + 1, pc);
  return got;
}

// ---- descriptors

HEDDLE_EXPORT ssize_t read(int fd, void* to, size_t n) {
  uint64_t pc = HEDDLE_PC;
  use_descriptor("read", fd, StreamUse::Read, pc);
  if (counts(pc)) library::will_write(to, n, pc);
  ssize_t got = NEXT(read)(fd, to, n);
  if (got > 0 && counts(pc)) library::wrote(to, (size_t)got, pc);
  return got;
}
HEDDLE_EXPORT ssize_t write(int fd, const void* from, size_t n) {
  uint64_t pc = HEDDLE_PC;
  if (counts(pc)) reads(from, n, pc);
  use_descriptor("write", fd, StreamUse::Write, pc);
  return NEXT(write)(fd, from, n);
}

namespace heddle::rt {

void stdio_hooks_prepare() {
  (void)NEXT(vsnprintf);
  (void)NEXT(vsprintf);
  (void)NEXT(vfprintf);
  (void)NEXT(__vsnprintf_chk);
  (void)NEXT(__vsprintf_chk);
  (void)NEXT(__vfprintf_chk);
  (void)NEXT(fputs);
  (void)NEXT(puts);
  (void)NEXT(fwrite);
  (void)NEXT(fread);
  (void)NEXT(fgets);
  (void)NEXT(read);
  (void)NEXT(write);
}

}  // namespace heddle::rt
