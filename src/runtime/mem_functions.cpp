// The runtime's own memory functions (see sys.h).
#define HEDDLE_DEFINES_MEM_FUNCTIONS
#include "runtime/sys.h"

namespace {
struct Chunk {
  unsigned char bytes[16];
};
}  // namespace

extern "C" {

// Short copies by hand: starting a string instruction costs more than 200 bytes of moving.
void* heddle_rt_memcpy(void* to, const void* from, size_t n) {
  auto* d = static_cast<unsigned char*>(to);
  auto* s = static_cast<const unsigned char*>(from);
  if (n > 512) {
    asm volatile("rep movsb" : "+D"(d), "+S"(s), "+c"(n) : : "memory");
    return to;
  }
  for (; n >= 16; n -= 16, d += 16, s += 16)
    asm volatile("movdqu %1, %%xmm0; movdqu %%xmm0, %0" : "=m"(*(Chunk*)d) : "m"(*(const Chunk*)s) : "xmm0");
  for (; n; --n) asm volatile("movb %1, %%al; movb %%al, %0" : "=m"(*d++) : "m"(*s++) : "al");
  return to;
}

void* heddle_rt_memmove(void* to, const void* from, size_t n) {
  auto* d = static_cast<unsigned char*>(to);
  auto* s = static_cast<const unsigned char*>(from);
  if (d <= s || d >= s + n) return heddle_rt_memcpy(to, from, n);
  for (; n; --n) asm volatile("movb %1, %%al; movb %%al, %0" : "=m"(d[n - 1]) : "m"(s[n - 1]) : "al");
  return to;
}

void* heddle_rt_memset(void* to, int byte, size_t n) {
  auto* d = static_cast<unsigned char*>(to);
  if (byte == 0 && n <= 1024)
    for (; n >= 16; n -= 16, d += 16) asm volatile("pxor %%xmm0, %%xmm0; movdqu %%xmm0, %0" : "=m"(*(Chunk*)d) : : "xmm0");
  asm volatile("rep stosb" : "+D"(d), "+c"(n) : "a"(byte) : "memory");
  return to;
}

int heddle_rt_memcmp(const void* a, const void* b, size_t n) {
  auto* x = static_cast<const volatile unsigned char*>(a);
  auto* y = static_cast<const volatile unsigned char*>(b);
  for (size_t i = 0; i < n; ++i)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}
}
