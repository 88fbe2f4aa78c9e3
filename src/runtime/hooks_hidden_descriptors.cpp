// Functions on descriptors and on names in the file system, as uses of hidden objects. hooks_stdio.cpp has read() and write().
#undef _FORTIFY_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/hidden_files.h"
#include "runtime/real.h"

using namespace heddle::rt;

// ---- at the file's position, and elsewhere in it

// Once: result, name, parameters, arguments, uses.
#define DESCRIPTOR_CALLS                                                                                                         \
  X(ssize_t, readv, (int fd, const iovec* v, int n), (fd, v, n), use_descriptor(call, fd, StreamUse::Read, pc))                  \
  X(ssize_t, writev, (int fd, const iovec* v, int n), (fd, v, n), use_descriptor(call, fd, StreamUse::Write, pc))                \
  X(ssize_t, pread, (int fd, void* to, size_t n, off_t at), (fd, to, n, at), use_contents(call, fd, Use::Look, extent(at, n), pc))       \
  X(ssize_t, pread64, (int fd, void* to, size_t n, off64_t at), (fd, to, n, at), use_contents(call, fd, Use::Look, extent(at, n), pc))   \
  X(ssize_t, pwrite, (int fd, const void* from, size_t n, off_t at), (fd, from, n, at), use_contents(call, fd, Use::Put, extent(at, n), pc))     \
  X(ssize_t, pwrite64, (int fd, const void* from, size_t n, off64_t at), (fd, from, n, at), use_contents(call, fd, Use::Put, extent(at, n), pc)) \
  X(off_t, lseek, (int fd, off_t at, int from), (fd, at, from), seek(call, fd, at, from, pc))                                    \
  X(off64_t, lseek64, (int fd, off64_t at, int from), (fd, at, from), seek(call, fd, at, from, pc))                              \
  X(int, ftruncate, (int fd, off_t size), (fd, size), use_contents(call, fd, Use::Put, {}, pc))                                  \
  X(int, ftruncate64, (int fd, off64_t size), (fd, size), use_contents(call, fd, Use::Put, {}, pc))                              \
  X(int, fstat, (int fd, struct stat* to), (fd, to), use_contents(call, fd, Use::Look, {}, pc))                                  \
  X(int, fstat64, (int fd, struct stat64* to), (fd, to), use_contents(call, fd, Use::Look, {}, pc))

// ---- names
#define NAME_CALLS                                                                                                \
  X(int, unlink, (const char* path), (path), use_name(call, path, Use::Change, pc))                              \
  X(int, remove, (const char* path), (path), use_name(call, path, Use::Change, pc))                              \
  X(int, rmdir, (const char* path), (path), use_name(call, path, Use::Change, pc))                               \
  X(int, mkdir, (const char* path, mode_t mode), (path, mode), use_name(call, path, Use::Change, pc))            \
  X(int, rename, (const char* path, const char* to), (path, to), use_names(call, path, to, pc))                  \
  X(int, link, (const char* path, const char* to), (path, to), use_names(call, path, to, pc))                    \
  X(int, symlink, (const char* path, const char* to), (path, to), use_name(call, to, Use::Change, pc))           \
  X(int, truncate, (const char* path, off_t size), (path, size), use_name(call, path, Use::Look, pc); use_contents_of(call, path, Use::Put, pc))          \
  X(int, chmod, (const char* path, mode_t mode), (path, mode), use_name(call, path, Use::Change, pc))            \
  X(int, stat, (const char* path, struct stat* to), (path, to), use_name(call, path, Use::Look, pc); use_contents_of(call, path, Use::Look, pc))             \
  X(int, lstat, (const char* path, struct stat* to), (path, to), use_name(call, path, Use::Look, pc); use_contents_of(call, path, Use::Look, pc))            \
  X(int, access, (const char* path, int mode), (path, mode), use_name(call, path, Use::Look, pc))                \
  X(int, euidaccess, (const char* path, int mode), (path, mode), use_name(call, path, Use::Look, pc))            \
  X(ssize_t, readlink, (const char* path, char* to, size_t n), (path, to, n), use_name(call, path, Use::Look, pc))

namespace {

Extent extent(off_t at, size_t n) { return at < 0 ? Extent{} : Extent{(uint64_t)at, n}; }

void seek(const char* call, int fd, off_t at, int from, uint64_t pc) {
  if (from == SEEK_END) use_contents(call, fd, Use::Look, {}, pc);
  use_descriptor(call, fd, from == SEEK_CUR && at == 0 ? StreamUse::Ask : StreamUse::Seek, pc);
}

}  // namespace

#define X(result, name, parameters, arguments, uses)  \
  HEDDLE_EXPORT result name parameters {              \
    if (hidden_counts()) {                            \
      const char* call = #name;                       \
      uint64_t pc = HEDDLE_PC;                        \
      uses;                                           \
    }                                                 \
    return REAL(name) arguments;                      \
  }
DESCRIPTOR_CALLS
NAME_CALLS
#undef X

// ---- to open, to copy and to close

namespace {

void use_opened_name(const char* call, const char* path, int flags, uint64_t pc) {
  use_name(call, path, flags & O_CREAT ? Use::Change : Use::Look, pc);
  if (flags & O_TRUNC) use_contents_of(call, path, Use::Put, pc);
}

int has_opened(int fd) {
  descriptor_opened(fd);
  return fd;
}

bool takes_mode(int flags) { return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE; }

}  // namespace

#define MODE(flags)                    \
  mode_t mode = 0;                     \
  if (takes_mode(flags)) {             \
    va_list arguments;                 \
    va_start(arguments, flags);        \
    mode = va_arg(arguments, mode_t);  \
    va_end(arguments);                 \
  }
#define OPEN(name)                                        \
  HEDDLE_EXPORT int name(const char* path, int flags, ...) { \
    MODE(flags)                                           \
    use_opened_name(#name, path, flags, HEDDLE_PC);       \
    return has_opened(REAL(name)(path, flags, mode));     \
  }
#define OPEN_AT(name)                                                    \
  HEDDLE_EXPORT int name(int directory, const char* path, int flags, ...) { \
    MODE(flags)                                                          \
    if (directory == AT_FDCWD || *path == '/') use_opened_name(#name, path, flags, HEDDLE_PC); \
    return has_opened(REAL(name)(directory, path, flags, mode));         \
  }
OPEN(open)
OPEN(open64)
OPEN_AT(openat)
OPEN_AT(openat64)

extern "C" {
int __open_2(const char*, int);
int __open64_2(const char*, int);
}
HEDDLE_EXPORT int __open_2(const char* path, int flags) {
  use_opened_name("open", path, flags, HEDDLE_PC);
  return has_opened(REAL(__open_2)(path, flags));
}
HEDDLE_EXPORT int __open64_2(const char* path, int flags) {
  use_opened_name("open", path, flags, HEDDLE_PC);
  return has_opened(REAL(__open64_2)(path, flags));
}
HEDDLE_EXPORT int creat(const char* path, mode_t mode) {
  use_opened_name("creat", path, O_CREAT | O_TRUNC, HEDDLE_PC);
  return has_opened(REAL(creat)(path, mode));
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

namespace heddle::rt {

void hidden_descriptors_prepare() {
#define X(result, name, parameters, arguments, uses) (void)REAL(name);
  DESCRIPTOR_CALLS
  NAME_CALLS
#undef X
  (void)REAL(open);
  (void)REAL(open64);
  (void)REAL(openat);
  (void)REAL(openat64);
  (void)REAL(creat);
  (void)REAL(close);
  (void)REAL(dup);
  (void)REAL(dup2);
  (void)REAL(dup3);
}

}  // namespace heddle::rt
