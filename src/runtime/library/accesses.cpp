// Accesses of library functions that take more than a pointer and a length to describe.
#include <ctype.h>
#include <errno.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>

#include "runtime/library/library.h"

namespace heddle::rt::library {

void* next_function(void** cache, const char* name) {
  if (void* f = resolve(cache, name)) return f;
  void* arithmetic = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL);
  void* f = arithmetic ? dlsym(arithmetic, name) : nullptr;
  __atomic_store_n(cache, f, __ATOMIC_RELAXED);
  return f;
}

uint64_t folded(const char* a, const char* b, uint64_t most) {
  uint64_t n = 0;
  while (n < most && a[n] && tolower((unsigned char)a[n]) == tolower((unsigned char)b[n])) ++n;
  return n < most ? n + 1 : n;
}

uint64_t digits(const char* s) {
  uint64_t n = 0;
  while (s[n] == ' ' || (s[n] >= '\t' && s[n] <= '\r')) ++n;
  if (s[n] == '+' || s[n] == '-') ++n;
  while (s[n] >= '0' && s[n] <= '9') ++n;
  return n + 1;
}

// Anything that can stand in a number of any locale, or in a name of infinity.
uint64_t decimal(const char* s) {
  auto is_part = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' ||
           c == '-' || c == '.' || c == ',';
  };
  uint64_t n = 0;
  while (s[n] == ' ' || (s[n] >= '\t' && s[n] <= '\r')) ++n;
  while (is_part(s[n])) ++n;
  return n + 1;
}

void reads_strings(char* const* v, uint64_t pc) {
  if (!v) return;
  uint64_t n = 0;
  for (; v[n]; ++n) reads_text(v[n], pc);
  reads(v, (n + 1) * sizeof *v, pc);
}

void reads_options(const option* o, uint64_t pc) {
  if (!o) return;
  uint64_t n = 0;
  for (; o[n].name; ++n) reads_text(o[n].name, pc);
  reads(o, (n + 1) * sizeof *o, pc);
}

void reads_buffers(const iovec* v, uint64_t n, uint64_t pc) {
  if (!v || n > 4096) return;
  reads(v, n * sizeof *v, pc);
  for (uint64_t i = 0; i < n; ++i) reads(v[i].iov_base, v[i].iov_len, pc);
}

void wrote_buffers(const iovec* v, uint64_t n, uint64_t bytes, uint64_t pc) {
  if (!v || n > 4096 || bytes >= kTooLong) return;
  for (uint64_t i = 0; i < n && bytes; ++i) {
    uint64_t part = v[i].iov_len < bytes ? v[i].iov_len : bytes;
    wrote(v[i].iov_base, part, pc);
    bytes -= part;
  }
}

void wrote_messages(const mmsghdr* m, long n, uint64_t pc) {
  for (long i = 0; i < n; ++i) {
    wrote(m[i].msg_hdr.msg_name, m[i].msg_hdr.msg_namelen, pc);
    wrote_buffers(m[i].msg_hdr.msg_iov, m[i].msg_hdr.msg_iovlen, m[i].msg_len, pc);
    wrote(m[i].msg_hdr.msg_control, m[i].msg_hdr.msg_controllen, pc);
  }
}

void control_file(int command, void* argument, uint64_t pc) {
  switch (command) {
    case F_SETLK:
    case F_SETLKW:
    case F_OFD_SETLK:
    case F_OFD_SETLKW:
      return reads(argument, sizeof(struct flock), pc);
    case F_GETLK:
    case F_OFD_GETLK:
      reads(argument, sizeof(struct flock), pc);
      return writes(argument, sizeof(struct flock), pc);
    case F_SETOWN_EX:
      return reads(argument, sizeof(f_owner_ex), pc);
    case F_GETOWN_EX:
      return writes(argument, sizeof(f_owner_ex), pc);
    default:
      return;  // a number, or nothing
  }
}

// Requests say their direction and size themselves, but for the old ones.
void control_device(unsigned long request, void* argument, uint64_t pc) {
  constexpr uint64_t kKernelTermios = 36;
  switch (request) {
    case TCGETS:
      return writes(argument, kKernelTermios, pc);
    case TCSETS:
    case TCSETSW:
    case TCSETSF:
      return reads(argument, kKernelTermios, pc);
    case TIOCGWINSZ:
      return writes(argument, sizeof(winsize), pc);
    case TIOCSWINSZ:
      return reads(argument, sizeof(winsize), pc);
    case FIONREAD:
    case TIOCOUTQ:
    case TIOCGPGRP:
    case TIOCGSID:
      return writes(argument, 4, pc);
    case FIONBIO:
    case FIOASYNC:
    case TIOCSPGRP:
      return reads(argument, 4, pc);
    default:
      break;
  }
  if ((request & 0xff00) == 0x8900) {  // of a socket's interface
    reads(argument, sizeof(ifreq), pc);
    return writes(argument, sizeof(ifreq), pc);
  }
  if (_IOC_DIR(request) & _IOC_WRITE) reads(argument, _IOC_SIZE(request), pc);
  if (_IOC_DIR(request) & _IOC_READ) writes(argument, _IOC_SIZE(request), pc);
}

void control_process(int what, unsigned long argument, uint64_t pc) {
  auto* p = reinterpret_cast<char*>(argument);
  switch (what) {
    case PR_SET_NAME:
      return reads_text(p, 16, pc);
    case PR_GET_NAME:
      return writes(p, 16, pc);
    case PR_GET_PDEATHSIG:
    case PR_GET_TSC:
    case PR_GET_CHILD_SUBREAPER:
      return writes(p, 4, pc);
    default:
      return;
  }
}

}  // namespace heddle::rt::library
