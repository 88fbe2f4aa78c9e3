// What the program's own syscall(number, …) does to its memory: like the functions of the C library
// of the same names. A call of which nothing is known here leaves a note in the verdict.
#include <asm/unistd.h>

#include "runtime/library/library.h"
#include "runtime/syscall_names.h"
#include "runtime/uncovered.h"

namespace heddle::rt::library {
namespace {

// One argument that points into the program's memory.
struct Part {
  enum Extent : uint8_t { None, Bytes, ByArgument, ByResult, Text } extent = None;
  uint8_t argument = 0;
  bool write = false;
  uint16_t size = 0;  // Bytes: how many; ByArgument: which argument says
};

struct Effects {
  bool known = true;
  Part parts[3];
};

constexpr Part text_at(uint8_t argument) { return {Part::Text, argument, false, 0}; }
constexpr Part in(uint8_t argument, uint16_t bytes) {
  return {Part::Bytes, argument, false, bytes};
}
constexpr Part out(uint8_t argument, uint16_t bytes) {
  return {Part::Bytes, argument, true, bytes};
}
constexpr Part in_by(uint8_t argument, uint16_t size) {
  return {Part::ByArgument, argument, false, size};
}
// At most as much as the argument behind it says.
constexpr Part out_by_result(uint8_t argument) {
  return {Part::ByResult, argument, true, (uint16_t)(argument + 1)};
}

Effects effects_of(long number) {
  constexpr uint16_t kStat = sizeof(struct stat), kTime = sizeof(timespec);
  switch (number) {
    case __NR_read:
    case __NR_pread64:
    case __NR_recvfrom:
    case __NR_getdents64:
      return {true, {out_by_result(1)}};
    case __NR_write:
    case __NR_pwrite64:
    case __NR_sendto:
      return {true, {in_by(1, 2)}};
    case __NR_getrandom:
    case __NR_getcwd:
      return {true, {out_by_result(0)}};
    case __NR_readlink:
      return {true, {text_at(0), out_by_result(1)}};
    case __NR_open:
    case __NR_access:
    case __NR_unlink:
    case __NR_rmdir:
    case __NR_mkdir:
    case __NR_chdir:
    case __NR_memfd_create:
      return {true, {text_at(0)}};
    case __NR_openat:
    case __NR_faccessat:
    case __NR_unlinkat:
    case __NR_mkdirat:
      return {true, {text_at(1)}};
    case __NR_rename:
      return {true, {text_at(0), text_at(1)}};
    case __NR_stat:
    case __NR_lstat:
      return {true, {text_at(0), out(1, kStat)}};
    case __NR_fstat:
      return {true, {out(1, kStat)}};
    case __NR_newfstatat:
      return {true, {text_at(1), out(2, kStat)}};
    case __NR_clock_gettime:
    case __NR_clock_getres:
      return {true, {out(1, kTime)}};
    case __NR_gettimeofday:
      return {true, {out(0, sizeof(timeval))}};
    case __NR_time:
      return {true, {out(0, sizeof(time_t))}};
    case __NR_nanosleep:
      return {true, {in(0, kTime)}};
    case __NR_clock_nanosleep:
      return {true, {in(2, kTime)}};
    case __NR_pipe:
    case __NR_pipe2:
      return {true, {out(0, 8)}};
    case __NR_uname:
      return {true, {out(0, sizeof(utsname))}};
    case __NR_getrusage:
      return {true, {out(1, sizeof(struct rusage))}};
    case __NR_prlimit64:
      return {true, {in(2, 16), out(3, 16)}};
    case __NR_sched_getaffinity:
      return {true, {{Part::ByResult, 2, true, 1}}};
    case __NR_sched_setaffinity:
      return {true, {in_by(2, 1)}};
    case __NR_getcpu:
      return {true, {out(0, 4), out(1, 4)}};
    // Numbers alone, or objects that are operations of their own.
    case __NR_futex:
    case __NR_gettid:
    case __NR_getpid:
    case __NR_getppid:
    case __NR_getuid:
    case __NR_geteuid:
    case __NR_getgid:
    case __NR_getegid:
    case __NR_getpgid:
    case __NR_getpgrp:
    case __NR_getsid:
    case __NR_sched_yield:
    case __NR_membarrier:
    case __NR_kill:
    case __NR_tkill:
    case __NR_tgkill:
    case __NR_exit:
    case __NR_exit_group:
    case __NR_close:
    case __NR_lseek:
    case __NR_dup:
    case __NR_dup2:
    case __NR_dup3:
    case __NR_fsync:
    case __NR_fdatasync:
    case __NR_ftruncate:
    case __NR_socket:
    case __NR_eventfd2:
    case __NR_mmap:
    case __NR_munmap:
    case __NR_mprotect:
    case __NR_madvise:
    case __NR_ioprio_get:
    case __NR_ioprio_set:
    case __NR_umask:
      return {};
    default:
      return {false, {}};
  }
}

const void* pointer(long argument) { return reinterpret_cast<const void*>(argument); }

void note_unknown(long number, uint64_t pc) {
  char name[48];
  const char* known = syscall_name(number);
  Text(name, sizeof name) << "syscall " << (known ? known : "of an unknown number");
  note_uncovered(wire::UncoveredKind::Call, pc, name,
                 "nobody looks at what this system call reads and writes");
}

}  // namespace

void before_system_call(long number, const long* a, uint64_t pc) {
  if (!counts(pc)) return;
  const Effects effects = effects_of(number);
  if (!effects.known) return note_unknown(number, pc);
  for (const Part& part : effects.parts) {
    const void* p = pointer(a[part.argument]);
    const uint64_t size = part.extent == Part::Bytes  ? part.size
                          : part.extent == Part::None ? 0
                                                      : (uint64_t)a[part.size];
    if (part.extent == Part::Text)
      reads_text(static_cast<const char*>(p), pc);
    else if (part.write)
      will_write(p, size, pc);
    else
      reads(p, size, pc);
  }
}

void after_system_call(long number, const long* a, long result, uint64_t pc) {
  if (result < 0 || !counts(pc)) return;
  for (const Part& part : effects_of(number).parts)
    if (part.write)
      wrote(pointer(a[part.argument]), part.extent == Part::Bytes ? part.size : (uint64_t)result,
            pc);
}

}  // namespace heddle::rt::library
