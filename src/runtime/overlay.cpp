// What a program does to files lasts as long as the execution: each begins with the same file system, whatever the one before
// wrote, made or removed, and however many run at a time. Nothing on the disk changes.
//
// A file that is opened for writing is copied into memory first, and its name leads to the copy from then on; what is made has
// never been anywhere else, and what is removed is only remembered to be gone. Such a copy is a file of the kernel's like any
// other: only calls that name a file come here. What cannot be told this way is refused.
//
// In a child of the fork executor, which ends with the execution: the table begins empty.
#include "runtime/overlay.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <sys/stat.h>

#include "runtime/runtime.h"
#include "runtime/syscall_names.h"

namespace heddle::rt {
namespace {

constexpr int kMostNames = 512;
constexpr uint64_t kPathBytes = 1024;
constexpr int kOwnFrom = 900;  // our descriptors: far from the program's

struct Name {
  enum Kind : uint8_t { Gone, File, Folder } kind;
  int fd;
  char path[kPathBytes];
};
Name g_names[kMostNames];
int g_name_count;
uint32_t g_anonymous[kMaxThreads];  // files without a name that each thread has made

const char* text_at(uint64_t a) { return reinterpret_cast<const char*>(a); }
bool same_text(const char* a, uint64_t n, const char* b) { return length_of(b) == n && heddle_rt_memcmp(a, b, n) == 0; }

struct Path {
  char text[kPathBytes];
  uint64_t length;
  uint64_t folder_length() const {
    uint64_t n = length;
    while (n && text[n - 1] != '/') --n;
    return n ? n - 1 : 0;
  }
};

Name* find(const char* path, uint64_t length) {
  for (int i = 0; i < g_name_count; ++i)
    if (same_text(path, length, g_names[i].path)) return &g_names[i];
  return nullptr;
}
Name* find(const Path& p) { return find(p.text, p.length); }

Name& name_for(const Path& p, uint64_t pc) {
  if (Name* known = find(p)) return *known;
  if (g_name_count == kMostNames) unsupported("open", pc, "of more than 512 files that the program writes, makes or removes");
  Name& name = g_names[g_name_count++];
  heddle_rt_memcpy(name.path, p.text, p.length);
  name.path[p.length] = 0;
  return name;
}

// Below a folder that was made or removed here there is nothing but what is in our table.
bool folder_is_ours(const Path& p, bool& there) {
  for (uint64_t n = p.folder_length(); n; ) {
    if (const Name* folder = find(p.text, n)) return there = n == p.folder_length() && folder->kind == Name::Folder, true;
    while (n && p.text[n - 1] != '/') --n;
    if (n) --n;
  }
  return false;
}

struct stat facts_of(const Path& p, long& error) {
  struct stat s {};
  error = sys(__NR_lstat, p.text, &s);
  return s;
}

// May a name be made or removed there? 0, or the error.
long may_change_folder(const Path& p) {
  bool there = false;
  if (folder_is_ours(p, there)) return there ? 0 : -ENOENT;
  char folder[kPathBytes] = "/";
  if (uint64_t n = p.folder_length()) {
    heddle_rt_memcpy(folder, p.text, n);
    folder[n] = 0;
  }
  return sys(__NR_faccessat, AT_FDCWD, folder, 2 /* W_OK */);
}

enum class There { Nothing, OursGone, OursFile, OursFolder, File, Folder, Other };

There what_is(const Path& p, long& error) {
  error = -ENOENT;
  if (const Name* ours = find(p))
    return ours->kind == Name::Gone ? There::OursGone : ours->kind == Name::File ? There::OursFile : There::OursFolder;
  bool there = false;
  if (folder_is_ours(p, there)) return There::Nothing;
  struct stat s = facts_of(p, error);
  if (error) return There::Nothing;
  if (S_ISLNK(s.st_mode)) {
    error = sys(__NR_stat, p.text, &s);
    if (error) return There::Nothing;
  }
  return S_ISREG(s.st_mode) ? There::File : S_ISDIR(s.st_mode) ? There::Folder : There::Other;
}

// ---- files of ours

int make_file(uint64_t number, uint64_t mode) {
  char name[64];
  (Text(name, sizeof name) << "heddle-").hex(number);
  long low = sys(__NR_memfd_create, name, 1 /* MFD_CLOEXEC */);
  long own = low < 0 ? low : sys(__NR_fcntl, low, F_DUPFD_CLOEXEC, kOwnFrom);
  if (low >= 0) sys(__NR_close, low);
  if (own < 0) fatal("no descriptor is left for a file that the program writes");
  sys(__NR_fchmod, own, (mode & 07777) | 0600);
  return (int)own;
}

void copy_contents(int from, int to) {
  for (;;) {
    long got = sys(__NR_sendfile, to, from, nullptr, 1 << 20);
    if (got <= 0) return;
  }
}

Name& make_name(const Path& p, uint64_t mode, uint64_t pc) {
  Name& name = name_for(p, pc);
  name.kind = Name::File;
  name.fd = make_file(number_of_path(p.text), mode);
  return name;
}

// A file of the disk becomes ours. Null: it may not be read, or not be written.
Name* take_over(const Path& p, bool to_write, long& error, uint64_t pc) {
  long from = sys(__NR_open, p.text, (to_write ? O_RDWR : O_RDONLY) | O_CLOEXEC);
  if (from < 0 && to_write) from = sys(__NR_open, p.text, O_WRONLY | O_CLOEXEC);
  if (from < 0) return error = from, nullptr;
  struct stat s {};
  sys(__NR_fstat, from, &s);
  Name& name = make_name(p, s.st_mode, pc);
  copy_contents((int)from, name.fd);
  sys(__NR_close, from);
  return &name;
}

long open_ours(const Name& name, uint64_t flags) {
  char link[64];
  Text(link, sizeof link) << "/proc/self/fd/" << name.fd;
  return sys(__NR_open, link, flags & ~(uint64_t)(O_CREAT | O_EXCL | O_NOFOLLOW));
}

// ---- calls

void refuse_listing(const Path& p, uint64_t pc) {
  for (int i = 0; i < g_name_count; ++i) {
    Path other{};
    other.length = length_of(g_names[i].path);
    heddle_rt_memcpy(other.text, g_names[i].path, other.length);
    if (other.folder_length() == p.length && heddle_rt_memcmp(other.text, p.text, p.length) == 0)
      unsupported("opendir", pc, "of a directory in which the program has written, made or removed files");
  }
}

bool writes(uint64_t flags) { return (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)); }

bool open_file(const Path& p, uint64_t flags, uint64_t mode, uint64_t pc, long& result) {
  if ((flags & O_TMPFILE) == O_TMPFILE) {
    uint64_t number = ((uint64_t)self().slot << 32 | ++g_anonymous[self().slot]) + (1ULL << 60);
    Name file{Name::File, make_file(number, mode), {}};
    result = open_ours(file, flags & ~(uint64_t)O_TMPFILE);
    sys(__NR_close, file.fd);
    return true;
  }
  long error = 0;
  There there = what_is(p, error);
  const bool creates = flags & O_CREAT, alone = creates && (flags & O_EXCL);
  switch (there) {
    case There::Other: return false;
    case There::OursFolder: unsupported("open", pc, "of a directory that the program has made");
    case There::Folder:
      if (!writes(flags)) refuse_listing(p, pc);
      return false;
    case There::File:
      if (!writes(flags)) return false;
      if (alone) return result = -EEXIST, true;
      if (!take_over(p, (flags & O_ACCMODE) != O_RDONLY, result, pc)) return true;
      break;
    case There::OursFile:
      if (alone) return result = -EEXIST, true;
      break;
    case There::Nothing:
    case There::OursGone:
      if (!creates) return result = error, true;
      if ((result = may_change_folder(p)) != 0) return true;
      make_name(p, mode, pc);
      break;
  }
  result = open_ours(*find(p), flags);
  return true;
}

long remove_file(const Path& p, uint64_t pc) {
  long error = 0;
  switch (what_is(p, error)) {
    case There::Nothing:
    case There::OursGone: return error;
    case There::Folder:
    case There::OursFolder: return -EISDIR;
    default: break;
  }
  if (long denied = may_change_folder(p)) return denied;
  Name& name = name_for(p, pc);
  if (name.kind == Name::File && name.fd) sys(__NR_close, name.fd);
  name.kind = Name::Gone;
  return 0;
}

long make_folder(const Path& p, uint64_t pc) {
  long error = 0;
  There there = what_is(p, error);
  if (there != There::Nothing && there != There::OursGone) return -EEXIST;
  if (long denied = may_change_folder(p)) return denied;
  name_for(p, pc).kind = Name::Folder;
  return 0;
}

bool is_below(const char* path, const Path& folder) {
  return length_of(path) > folder.length && path[folder.length] == '/' && heddle_rt_memcmp(path, folder.text, folder.length) == 0;
}

long remove_folder(const Path& p, uint64_t pc) {
  long error = 0;
  switch (what_is(p, error)) {
    case There::Nothing:
    case There::OursGone: return error;
    case There::OursFolder: break;
    case There::Folder: unsupported("rmdir", pc, "of a directory that the program has not made");
    default: return -ENOTDIR;
  }
  for (int i = 0; i < g_name_count; ++i)
    if (g_names[i].kind != Name::Gone && is_below(g_names[i].path, p)) return -ENOTEMPTY;
  name_for(p, pc).kind = Name::Gone;
  return 0;
}

// The file there, as one of ours; null, with the error.
Name* ours_at(const Path& p, bool to_write, const char* call, long& error, uint64_t pc) {
  switch (what_is(p, error)) {
    case There::Nothing:
    case There::OursGone: return nullptr;
    case There::OursFile: return find(p);
    case There::File: return take_over(p, to_write, error, pc);
    default: unsupported(call, pc, "of what is no ordinary file");
  }
}

long give_name(const Path& from, const Path& to, bool keeps_old, uint64_t pc) {
  long error = 0;
  Name* file = ours_at(from, false, keeps_old ? "link" : "rename", error, pc);
  if (!file) return error;
  There there = what_is(to, error);
  if (there == There::Folder || there == There::OursFolder) return keeps_old ? -EEXIST : -EISDIR;
  if (keeps_old && there != There::Nothing && there != There::OursGone) return -EEXIST;
  if (long denied = may_change_folder(to)) return denied;
  if (file == find(to)) return 0;
  Name& name = name_for(to, pc);
  file = find(from);
  if (name.kind == Name::File && name.fd) sys(__NR_close, name.fd);
  name.kind = Name::File;
  name.fd = keeps_old ? (int)sys(__NR_fcntl, file->fd, F_DUPFD_CLOEXEC, kOwnFrom) : file->fd;
  if (!keeps_old) file->kind = Name::Gone, file->fd = 0;
  return 0;
}

// What is asked about a name of ours. False: it is none.
bool ours_is_asked(const Path& p, const Name*& ours, long& error) {
  ours = find(p);
  error = ours && ours->kind == Name::Gone ? -ENOENT : 0;
  if (ours) return true;
  bool there = false;
  if (!folder_is_ours(p, there)) return false;
  error = -ENOENT;
  return true;
}

long facts(const Name& name, uint64_t into) {
  if (name.kind == Name::File) return sys(__NR_fstat, name.fd, into);
  long error = sys(__NR_stat, "/", into);
  return error;
}

// The names that a call has, in full. False: it is none of ours, or names what lies below a directory that is open.
bool path_at(uint64_t folder, uint64_t text, Path& p) {
  const char* given = text_at(text);
  if (!given || !*given || ((int)folder != AT_FDCWD && *given != '/')) return false;
  p.length = full_path(given, p.text, sizeof p.text);
  return heddle_rt_memcmp(p.text, "/proc/", 6) != 0 && heddle_rt_memcmp(p.text, "/sys/", 5) != 0;
}

constexpr uint64_t kHere = (uint64_t)(int64_t)AT_FDCWD;

// A call by its forms with and without a directory: which of its arguments are what.
struct Form {
  uint64_t folder, path;
  const uint64_t* rest;
};

bool with_folder(long number) {
  switch (number) {
    case __NR_openat: case __NR_unlinkat: case __NR_mkdirat: case __NR_newfstatat: case __NR_faccessat: case __NR_faccessat2:
    case __NR_readlinkat: case __NR_fchmodat: case __NR_statx: case __NR_utimensat: return true;
    default: return false;
  }
}
Form form_of(long number, const uint64_t* a) { return with_folder(number) ? Form{a[0], a[1], a + 2} : Form{kHere, a[0], a + 1}; }

bool changes_names(long number) {
  switch (number) {
    case __NR_unlink: case __NR_unlinkat: case __NR_rmdir: case __NR_mkdir: case __NR_mkdirat: case __NR_truncate: case __NR_chmod:
    case __NR_fchmodat: case __NR_creat: return true;
    default: return false;
  }
}

bool one_name(long number, const uint64_t* a, uint64_t pc, long& result) {
  Form f = form_of(number, a);
  Path p{};
  if (!path_at(f.folder, f.path, p)) {
    const char* text = text_at(f.path);
    const bool below = text && *text && *text != '/' && (int)f.folder != AT_FDCWD;
    if (below && (changes_names(number) || (number == __NR_openat && writes(f.rest[0]))))
      unsupported(syscall_name(number), pc, "of a name below a directory that is open");
    return false;
  }
  const Name* ours = nullptr;
  switch (number) {
    case __NR_open:
    case __NR_openat: return open_file(p, f.rest[0], f.rest[1], pc, result);
    case __NR_creat: return open_file(p, O_CREAT | O_WRONLY | O_TRUNC, f.rest[0], pc, result);
    case __NR_unlink: return result = remove_file(p, pc), true;
    case __NR_unlinkat: return result = f.rest[0] & AT_REMOVEDIR ? remove_folder(p, pc) : remove_file(p, pc), true;
    case __NR_rmdir: return result = remove_folder(p, pc), true;
    case __NR_mkdir:
    case __NR_mkdirat: return result = make_folder(p, pc), true;
    case __NR_truncate: {
      const Name* file = ours_at(p, true, "truncate", result, pc);
      if (file) result = sys(__NR_ftruncate, file->fd, f.rest[0]);
      return true;
    }
    case __NR_chmod:
    case __NR_fchmodat: {
      const Name* file = ours_at(p, false, "chmod", result, pc);
      if (file) result = sys(__NR_fchmod, file->fd, f.rest[0] | 0600);
      return true;
    }
    default: break;
  }
  if (!ours_is_asked(p, ours, result)) return false;
  if (result) return true;
  switch (number) {
    case __NR_stat:
    case __NR_lstat:
    case __NR_newfstatat: return result = facts(*ours, f.rest[0]), true;
    case __NR_statx:
      result = ours->kind == Name::File ? sys(__NR_statx, ours->fd, "", f.rest[0] | AT_EMPTY_PATH, f.rest[1], f.rest[2])
                                        : sys(__NR_statx, AT_FDCWD, "/", 0, f.rest[1], f.rest[2]);
      return true;
    case __NR_access:
    case __NR_faccessat:
    case __NR_faccessat2: return true;
    case __NR_readlink:
    case __NR_readlinkat: return result = -EINVAL, true;
    case __NR_utimensat: return true;
    default: unsupported(syscall_name(number), pc, "of a file that the program has written or made");
  }
}

bool two_names(long number, const uint64_t* a, uint64_t pc, long& result) {
  const bool at = number != __NR_rename && number != __NR_link;
  Path from{}, to{};
  const bool plain = at ? path_at(a[0], a[1], from) && path_at(a[2], a[3], to) : path_at(kHere, a[0], from) && path_at(kHere, a[1], to);
  if (!plain || (number == __NR_renameat2 && a[4])) unsupported(syscall_name(number), pc, "of names below a directory that is open, or with flags");
  result = give_name(from, to, number == __NR_link || number == __NR_linkat, pc);
  return true;
}

}  // namespace

bool names_a_file(long number) {
  switch (number) {
    case __NR_open: case __NR_openat: case __NR_creat: case __NR_unlink: case __NR_unlinkat: case __NR_rmdir: case __NR_mkdir:
    case __NR_mkdirat: case __NR_truncate: case __NR_chmod: case __NR_fchmodat: case __NR_stat: case __NR_lstat:
    case __NR_newfstatat: case __NR_statx: case __NR_access: case __NR_faccessat: case __NR_faccessat2: case __NR_readlink:
    case __NR_readlinkat: case __NR_utimensat: case __NR_chdir: return true;
    default: return false;
  }
}

bool emulate_named_file(long number, const uint64_t* a, uint64_t pc, long& result) {
  if (names_a_file(number)) return one_name(number, a, pc, result);
  switch (number) {
    case __NR_rename: case __NR_renameat: case __NR_renameat2: case __NR_link: case __NR_linkat:
      return two_names(number, a, pc, result);
    case __NR_symlink: case __NR_symlinkat: case __NR_mknod: case __NR_mknodat: case __NR_openat2:
      unsupported(syscall_name(number), pc, "which the next execution would find");
    default: return false;
  }
}

bool number_of_overlay_file(const char* shown, uint64_t& number) {
  constexpr char kBegin[] = "/memfd:heddle-0x";
  constexpr uint64_t kLength = sizeof kBegin - 1;
  if (heddle_rt_memcmp(shown, kBegin, kLength) != 0) return false;
  number = 0;
  for (const char* p = shown + kLength;; ++p) {
    if (*p >= '0' && *p <= '9') number = number << 4 | (uint64_t)(*p - '0');
    else if (*p >= 'a' && *p <= 'f') number = number << 4 | (uint64_t)(*p - 'a' + 10);
    else return true;
  }
}

uint64_t full_path(const char* path, char* full, uint64_t capacity) {
  heddle_rt_memset(full, 0, capacity);  // ours to write, before the kernel does
  uint64_t n = 0;
  if (path[0] != '/') {
    long got = sys(__NR_getcwd, full, capacity / 2);
    n = got > 1 ? (uint64_t)got - 1 : 0;
    if (n == 1) n = 0;  // the root
  }
  while (*path) {
    while (*path == '/') ++path;
    uint64_t part = 0;
    while (path[part] && path[part] != '/') ++part;
    if (part == 2 && path[0] == '.' && path[1] == '.') {
      while (n && full[--n] != '/') {}
    } else if (part && !(part == 1 && path[0] == '.') && n + part + 2 < capacity) {
      full[n++] = '/';
      heddle_rt_memcpy(full + n, path, part);
      n += part;
    }
    path += part;
  }
  full[n] = 0;
  return n;
}

uint64_t number_of_path(const char* path) {
  char full[2048];
  uint64_t n = full_path(path, full, sizeof full);
  uint64_t h = 0xcbf29ce484222325ULL;
  for (uint64_t i = 0; i < n; ++i) h = (h ^ (unsigned char)full[i]) * 0x100000001b3ULL;
  return h ^ h >> 32;
}

}  // namespace heddle::rt
