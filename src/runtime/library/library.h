// What the hooks that are made of functions.txt consist of: accesses of functions of the C library
// to the program's memory.
//
// ORDER. Reads and writes whose extent is known are announced before the call. What is known only
// afterwards (how much was read, whether the function failed) counts afterwards, with have_read()
// and wrote(). A scheduling point must come before the effect, however: where the address is
// visible, will_read() and will_write() make one before the call, as wide as the access can become.
//
// Null pointers and lengths that an error code became (very large ones) are no accesses: the
// function itself deals with them.
#pragma once
#include <dirent.h>
#include <fcntl.h>
#include <fenv.h>
#include <getopt.h>
#include <glob.h>
#include <grp.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <regex.h>
#include <sched.h>
#include <search.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <termios.h>
#include <time.h>
#include <uchar.h>
#include <utime.h>
#include <wchar.h>
#include <wordexp.h>

#include <type_traits>

#include "runtime/hooks.h"
#include "runtime/library/hidden_uses.h"
#include "runtime/race.h"
#include "runtime/real.h"

namespace heddle::rt {

// visible.cpp: the scheduling point of an access, if its address is visible; the access itself is
// told later.
void announce_visible(uint64_t address, uint64_t size, bool write, uint64_t pc);

}  // namespace heddle::rt

namespace heddle::rt::library {

// A call from a library without instrumentation says nothing: its own synchronisation is unknown.
inline bool counts(uint64_t pc) {
  return running() && R().current && !R().in_runtime && instrumented(pc);
}

// The function that is called after the hook. Libraries that the linker has left out because only
// our hooks are called of them are loaded when it is first asked for.
void* next_function(void** cache, const char* name);

inline constexpr uint64_t kTooLong = 1ULL << 46;  // an error code, not a length
inline bool is_access(const volatile void* p, uint64_t n) { return p && n && n < kTooLong; }
inline uint64_t at(const volatile void* p) { return reinterpret_cast<uint64_t>(p); }

inline void reads(const volatile void* p, uint64_t n, uint64_t pc) {
  if (is_access(p, n)) access(at(p), n, false, pc);
}
inline void writes(const volatile void* p, uint64_t n, uint64_t pc) {
  if (is_access(p, n)) access(at(p), n, true, pc);
}
inline void will_read(const volatile void* p, uint64_t n, uint64_t pc) {
  if (HEDDLE_UNLIKELY(R().visible_mode) && is_access(p, n)) announce_visible(at(p), n, false, pc);
}
inline void will_write(const volatile void* p, uint64_t n, uint64_t pc) {
  if (HEDDLE_UNLIKELY(R().visible_mode) && is_access(p, n)) announce_visible(at(p), n, true, pc);
}
inline void have_read(const volatile void* p, uint64_t n, uint64_t pc) {
  if (is_access(p, n) && !ignores(false)) slow_access(at(p), n, kRead, pc);
}
inline void wrote(const volatile void* p, uint64_t n, uint64_t pc) {
  if (!is_access(p, n) || ignores(true)) return;
  before_write(at(p), n);
  slow_access(at(p), n, kWrite, pc);
}

// For hooks that are written by hand: the caller's accesses, if they count.
inline void caller_reads(const volatile void* p, uint64_t n, uint64_t pc) {
  if (counts(pc)) reads(p, n, pc);
}
inline void caller_writes(const volatile void* p, uint64_t n, uint64_t pc) {
  if (counts(pc)) writes(p, n, pc);
}
// … where the effect has been made: no scheduling point.
inline void caller_wrote(const volatile void* p, uint64_t n, uint64_t pc) {
  if (counts(pc)) wrote(p, n, pc);
}

// ---- strings: C is char or wchar_t

template <class C>
uint64_t bounded(const C* s, uint64_t most) {  // characters
  uint64_t n = 0;
  while (n < most && s[n]) ++n;
  return n;
}
template <class C>
uint64_t text(const C* s) {  // bytes, with the end
  return (bounded(s, ~0ULL) + 1) * sizeof(C);
}
inline uint64_t wide(const wchar_t* s) { return bounded(s, ~0ULL); }

template <class C>
void reads_text(const C* s, uint64_t most, uint64_t pc) {
  if (!s) return;
  uint64_t n = bounded(s, most);
  reads(s, (n < most ? n + 1 : n) * sizeof(C), pc);
}
template <class C>
void reads_text(const C* s, uint64_t pc) {
  reads_text(s, ~0ULL, pc);
}

// Bytes that a comparison looks at: up to the first difference or the end.
template <class C>
uint64_t common(const C* a, const C* b, uint64_t most) {
  uint64_t n = 0;
  while (n < most && a[n] && a[n] == b[n]) ++n;
  return (n < most ? n + 1 : n) * sizeof(C);
}
uint64_t folded(const char* a, const char* b, uint64_t most);  // … without regard to case

// Bytes that were looked at to find a number that ends at `stop`: with what comes after it.
template <class C>
uint64_t number_extent(const C* s, const C* stop) {
  uint64_t n = (uint64_t)(stop - s);
  if (!n)
    while (s[n] == ' ' || (s[n] >= '\t' && s[n] <= '\r')) ++n;
  return (n + 1) * sizeof(C);
}
uint64_t digits(const char* s);   // bytes that atoi looks at
uint64_t decimal(const char* s);  // … that atof looks at

// Bytes that the mbrtowc family has used, by its result.
inline uint64_t consumed(uint64_t result, uint64_t n) {
  if (result == (uint64_t)-2) return n;
  if (result == (uint64_t)-3) return 0;
  return result <= n && result ? result : 1;
}

// ---- structures

void reads_strings(char* const* v, uint64_t pc);
void reads_options(const option* o, uint64_t pc);
void reads_buffers(const iovec* v, uint64_t n, uint64_t pc);
void wrote_buffers(const iovec* v, uint64_t n, uint64_t bytes, uint64_t pc);
void wrote_messages(const mmsghdr* m, long n, uint64_t pc);
void control_file(int command, void* argument, uint64_t pc);
void control_device(unsigned long request, void* argument, uint64_t pc);
void control_process(int what, unsigned long argument, uint64_t pc);

// What syscall() is called for (system_calls.cpp).
void before_system_call(long number, const long* arguments, uint64_t pc);
void after_system_call(long number, const long* arguments, long result, uint64_t pc);

// ---- formats (format.cpp, scan.cpp)

void announce_format(const char* format, va_list arguments, uint64_t pc);
void announce_format(const wchar_t* format, va_list arguments, uint64_t pc);

// What a format of scanf writes. The same walk is done before the call and after it.
class Scan {
 public:
  Scan(const char* format, va_list arguments) : narrow_(format) { va_copy(arguments_, arguments); }
  Scan(const wchar_t* format, va_list arguments) : wide_(format) { va_copy(arguments_, arguments); }
  ~Scan() { va_end(arguments_); }
  Scan(const Scan&) = delete;
  Scan& operator=(const Scan&) = delete;

  void will_write(uint64_t pc);  // where it is visible
  void wrote(int assigned, uint64_t pc);

 private:
  const char* narrow_ = nullptr;
  const wchar_t* wide_ = nullptr;
  va_list arguments_;
};

}  // namespace heddle::rt::library
