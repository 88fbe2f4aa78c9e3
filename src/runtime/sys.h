// Raw system calls, and the few memory functions the runtime may use. No libc: its functions are the ones we intercept.
#pragma once
#include <asm/unistd.h>
#include <stddef.h>
#include <stdint.h>

extern "C" {
long heddle_syscall(long number, ...);
void heddle_switch(void** save_sp, void* load_sp);
void heddle_fiber_entry();
long heddle_clone(unsigned long flags, void* stack, uint64_t tls, void (*entry)(void*), void* argument);
void heddle_sigreturn();
extern const char heddle_sys_begin[];
extern const char heddle_sys_end[];
void* heddle_rt_memcpy(void* to, const void* from, size_t n);
void* heddle_rt_memmove(void* to, const void* from, size_t n);
void* heddle_rt_memset(void* to, int byte, size_t n);
int heddle_rt_memcmp(const void* a, const void* b, size_t n);
}

// The compiler turns struct copies into calls of memcpy; in the runtime those must not reach the intercepted function.
#ifndef HEDDLE_DEFINES_MEM_FUNCTIONS
__asm__("memcpy = heddle_rt_memcpy");
__asm__("memmove = heddle_rt_memmove");
__asm__("memset = heddle_rt_memset");
__asm__("memcmp = heddle_rt_memcmp");
#endif

namespace heddle::rt {

template <class... A>
inline long sys(long number, A... args) {
  long a[6] = {(long)args...};
  return heddle_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

inline size_t length_of(const char* s) {
  size_t n = 0;
  while (s[n]) ++n;
  return n;
}

// Bounded text building without stdio.
class Text {
 public:
  Text(char* buffer, size_t capacity) : at_(buffer), end_(buffer + capacity - 1) { *at_ = 0; }
  Text& operator<<(const char* s) {
    while (s && *s && at_ < end_) *at_++ = *s++;
    *at_ = 0;
    return *this;
  }
  Text& operator<<(uint64_t n) {
    char digits[24];
    int k = 0;
    do digits[k++] = char('0' + n % 10);
    while (n /= 10);
    while (k && at_ < end_) *at_++ = digits[--k];
    *at_ = 0;
    return *this;
  }
  Text& operator<<(int n) { return *this << (uint64_t)(n < 0 ? 0 : n); }
  Text& operator<<(unsigned n) { return *this << (uint64_t)n; }
  Text& hex(uint64_t n) {
    *this << "0x";
    int shift = 60;
    while (shift > 0 && !(n >> shift)) shift -= 4;
    for (; shift >= 0 && at_ < end_; shift -= 4) *at_++ = "0123456789abcdef"[(n >> shift) & 15];
    *at_ = 0;
    return *this;
  }

 private:
  char* at_;
  char* end_;
};

}  // namespace heddle::rt
