// Reading files without leaving a trace in the kernel: in the rollback executor a descriptor that only reads a regular file is
// an entry of a table in the program's memory, which is rolled back with it. Behind it is a descriptor of our own, opened once
// for all runs and read with pread, so that the kernel keeps no offset for us.
//
// Sound as long as the files stay as they are: each is looked at again whenever a run opens or reads it, and one that has
// changed ends the search. What is not an ordinary file (devices, /proc, pipes) and every other call is left to the fork executor.
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/uio.h>

#include "runtime/files.h"
#include "runtime/runtime.h"

namespace heddle::rt {
namespace {

constexpr int kDescriptors = 64;
constexpr int kOwnFrom = 800;  // our descriptors: far from the program's

struct Descriptor {
  enum Use : uint8_t { Free, Reads, Foreign /* not ours to emulate */ } use;
  uint32_t file;
  uint64_t offset;
};

// In the program's memory: rolled back with it.
Descriptor g_descriptors[kDescriptors];

Descriptor* reader(uint64_t fd) {
  return fd < kDescriptors && g_descriptors[fd].use == Descriptor::Reads ? &g_descriptors[fd] : nullptr;
}

bool is_closed(uint64_t fd) { return fd < kDescriptors && g_descriptors[fd].use == Descriptor::Free; }

bool takes_descriptor(long number) {
  switch (number) {
    case __NR_read: case __NR_pread64: case __NR_readv: case __NR_write: case __NR_writev: case __NR_lseek: case __NR_fstat:
    case __NR_fcntl: case __NR_close: case __NR_ioctl:
      return true;
    default: return false;
  }
}

struct stat facts_of(int fd) {
  struct stat s {};
  sys(__NR_fstat, fd, &s);
  return s;
}

bool same_time(const timespec& a, const timespec& b) { return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec; }
bool is_null_device(const struct stat& s) { return S_ISCHR(s.st_mode) && s.st_rdev == 0x103; }
bool same_file(const struct stat& a, const struct stat& b) {
  if (is_null_device(a) && is_null_device(b)) return true;
  return a.st_ino == b.st_ino && a.st_dev == b.st_dev && a.st_size == b.st_size && same_time(a.st_mtim, b.st_mtim) &&
         same_time(a.st_ctim, b.st_ctim);
}

// Its contents are what was written to it, not made up when somebody reads.
bool is_ordinary(int fd, const struct stat& s) {
  constexpr long kProc = 0x9fa0, kSys = 0x62656572;
  struct statfs where {};
  if (is_null_device(s)) return true;
  return S_ISREG(s.st_mode) && sys(__NR_fstatfs, fd, &where) == 0 && where.f_type != kProc && where.f_type != kSys;
}

[[noreturn]] void has_changed(const KnownFile& f) {
  char line[320];
  Text(line, sizeof line) << "a file that it reads has changed during the search: " << (f.path[0] ? f.path : "(opened before main)");
  input_changed(line);
}

void look_again(const KnownFile& f) {
  if (!same_file(facts_of(f.descriptor), f.facts)) has_changed(f);
}

// A file of ours with this descriptor behind it; -1 if it is none that can be emulated.
int remember_file(const char* path, int fd) {
  Runtime& r = R();
  struct stat s = facts_of(fd);
  if (r.file_count >= kMaxFiles || length_of(path) >= sizeof(KnownFile::path) || !is_ordinary(fd, s)) return -1;
  KnownFile& f = r.files[r.file_count];
  f.descriptor = fd;
  f.facts = s;
  Text(f.path, sizeof f.path) << path;
  return (int)r.file_count++;
}

int find_file(const char* path) {
  Runtime& r = R();
  for (uint32_t i = 0; i < r.file_count; ++i)
    if (r.files[i].path[0] && length_of(r.files[i].path) == length_of(path) && heddle_rt_memcmp(r.files[i].path, path, length_of(path)) == 0)
      return (int)i;
  return -1;
}

// The file under this name, now as at its first use.
int known_file(const char* path) {
  int i = find_file(path);
  if (i < 0) return -1;
  struct stat now {};
  if (sys(__NR_newfstatat, AT_FDCWD, path, &now, 0) != 0 || !same_file(now, R().files[i].facts)) has_changed(R().files[i]);
  return i;
}

// Below 0, with the error if there is one: no such file, or none that can be emulated.
int open_file(const char* path, long& error) {
  struct stat s {};
  error = sys(__NR_newfstatat, AT_FDCWD, path, &s, 0);
  if (error < 0 || !S_ISREG(s.st_mode)) return -1;  // to open a device or a pipe is to do something
  long low = sys(__NR_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  if (low < 0) return error = low, -1;
  long own = sys(__NR_fcntl, low, F_DUPFD_CLOEXEC, kOwnFrom);
  sys(__NR_close, low);
  if (own < 0) return -1;
  int i = remember_file(path, (int)own);
  if (i < 0) sys(__NR_close, own);
  return i;
}

// Memory that the kernel is to write to.
void pretouch(uint64_t address, uint64_t size) {
  if (!size) return;
  for (uint64_t a = address & ~(layout::kPage - 1); a < address + size; a += layout::kPage) {
    auto* p = reinterpret_cast<volatile unsigned char*>(a < address ? address : a);
    *p = *p;
  }
}

long read_at(const Descriptor& d, uint64_t to, uint64_t size, uint64_t offset) {
  const KnownFile& f = R().files[d.file];
  look_again(f);
  uint64_t end = (uint64_t)f.facts.st_size;
  if (offset >= end) return 0;
  if (size > end - offset) size = end - offset;
  pretouch(to, size);
  return sys(__NR_pread64, f.descriptor, to, size, offset);
}

long read_on(Descriptor& d, uint64_t to, uint64_t size) {
  long got = read_at(d, to, size, d.offset);
  if (got > 0) d.offset += (uint64_t)got;
  return got;
}

long read_vector(Descriptor& d, const iovec* parts, uint64_t count) {
  long total = 0;
  for (uint64_t i = 0; i < count; ++i) {
    long got = read_on(d, reinterpret_cast<uint64_t>(parts[i].iov_base), parts[i].iov_len);
    if (got < 0) return total ? total : got;
    total += got;
    if ((uint64_t)got < parts[i].iov_len) break;
  }
  return total;
}

long seek(Descriptor& d, int64_t offset, int whence) {
  int64_t from = whence == SEEK_CUR ? (int64_t)d.offset : whence == SEEK_END ? R().files[d.file].facts.st_size : 0;
  if (whence > SEEK_END || from + offset < 0) return -EINVAL;
  return (long)(d.offset = (uint64_t)(from + offset));
}

// The result in `result`, if this opens a file for reading only and nothing else.
bool open_for_reading(const char* path, uint64_t flags, long& result) {
  constexpr uint64_t kHarmless = O_CLOEXEC | O_NOCTTY | 0x8000 /* O_LARGEFILE, which libc defines to 0 */;
  if (flags & ~kHarmless) return false;
  int file = known_file(path);
  if (file < 0) file = open_file(path, result);
  if (file < 0) return result < 0;  // there is no such file; or it is none of ours to emulate
  for (int fd = 0; fd < kDescriptors; ++fd) {
    if (g_descriptors[fd].use != Descriptor::Free) continue;
    g_descriptors[fd] = {Descriptor::Reads, (uint32_t)file, 0};
    result = fd;
    return true;
  }
  return false;
}

}  // namespace

const KnownFile* emulated_file(int fd) {
  const Descriptor* d = fd >= 0 ? reader((uint64_t)fd) : nullptr;
  return d ? &R().files[d->file] : nullptr;
}

long tell_facts(const struct stat& s, uint64_t to) {
  pretouch(to, sizeof s);
  auto* out = reinterpret_cast<struct stat*>(to);
  heddle_rt_memcpy(out, &s, sizeof s);
  out->st_atim = s.st_mtim;
  return 0;
}

// What is open at the stop at main: files that are only read become ours, with their offset as it is.
void files_prepare() {
  for (int fd = 0; fd < kDescriptors; ++fd) {
    long flags = sys(__NR_fcntl, fd, F_GETFL);
    g_descriptors[fd] = {flags < 0 ? Descriptor::Free : Descriptor::Foreign, 0, 0};
    if (flags < 0 || (flags & O_ACCMODE) != O_RDONLY) continue;
    int file = remember_file("", fd);
    if (file >= 0) g_descriptors[fd] = {Descriptor::Reads, (uint32_t)file, (uint64_t)sys(__NR_lseek, fd, 0, SEEK_CUR)};
  }
}

// Children of the fork executor share the offsets of what was open before them.
void files_rewind() {
  for (int fd = 0; fd < kDescriptors; ++fd)
    if (g_descriptors[fd].use == Descriptor::Reads) sys(__NR_lseek, fd, g_descriptors[fd].offset, SEEK_SET);
}

bool emulate_file_call(long number, const uint64_t* a, long& result) {
  if (number == __NR_open) return open_for_reading(reinterpret_cast<const char*>(a[0]), a[1], result);
  if (number == __NR_openat) {
    auto* path = reinterpret_cast<const char*>(a[1]);
    return ((int)a[0] == AT_FDCWD || path[0] == '/') && open_for_reading(path, a[2], result);
  }
  if (is_closed(a[0]) && takes_descriptor(number)) {
    result = -EBADF;
    return true;
  }
  if (number == __NR_close && a[0] <= 2 && !reader(a[0])) {  // a run's own affair: the next one has it again
    g_descriptors[a[0]] = {Descriptor::Free, 0, 0};
    result = 0;
    return true;
  }
  Descriptor* d = reader(a[0]);
  if (!d) return false;
  switch (number) {
    case __NR_read: result = read_on(*d, a[1], a[2]); return true;
    case __NR_pread64: result = (int64_t)a[3] < 0 ? -EINVAL : read_at(*d, a[1], a[2], a[3]); return true;
    case __NR_readv: result = read_vector(*d, reinterpret_cast<const iovec*>(a[1]), a[2]); return true;
    case __NR_lseek: result = seek(*d, (int64_t)a[1], (int)a[2]); return (int)a[2] <= SEEK_END;
    case __NR_fstat: result = tell_facts(R().files[d->file].facts, a[1]); return true;
    case __NR_newfstatat:
      if (!(a[3] & AT_EMPTY_PATH) || *reinterpret_cast<const char*>(a[1])) return false;
      result = tell_facts(R().files[d->file].facts, a[2]);
      return true;
    case __NR_fcntl:
      if (a[1] != F_GETFL) return false;
      result = 0x8000;
      return true;
    case __NR_fadvise64: result = 0; return true;
    case __NR_ioctl: result = -ENOTTY; return true;
    case __NR_close:
      *d = {Descriptor::Free, 0, 0};
      result = 0;
      return true;
    default: return false;
  }
}

}  // namespace heddle::rt
