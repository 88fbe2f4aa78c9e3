// Signals, and the guard against effects that a rollback cannot undo: a seccomp filter turns every system call that does not
// come from the runtime itself into SIGSYS, and here it is emulated, allowed or refused.
#include <asm/prctl.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <ucontext.h>

#include "runtime/overlay.h"
#include "runtime/patch.h"
#include "runtime/pieces.h"
#include "runtime/runtime.h"
#include "runtime/syscall_names.h"
#include "runtime/unseen_order.h"

namespace heddle::rt {

void run_signal(int number, uint64_t pc);  // hooks_signal.cpp

namespace {

struct KernelAction {  // what rt_sigaction takes
  void (*handler)(int, siginfo_t*, void*);
  unsigned long flags;
  void (*restorer)();
  uint64_t mask;
};

const char* crash_text(int number, const siginfo_t* info, const ucontext_t* context, char* buffer, size_t capacity) {
  auto address = reinterpret_cast<uint64_t>(info->si_addr);
  Text text(buffer, capacity);
  switch (number) {
    case SIGFPE: text << (info->si_code == FPE_INTDIV ? "division by zero (SIGFPE)" : "arithmetic error (SIGFPE)"); break;
    case SIGILL: text << "illegal instruction (SIGILL)"; break;
    case SIGTRAP: text << "trap instruction (SIGTRAP)"; break;
    case SIGBUS: (text << "bus error (SIGBUS) at address ").hex(address); break;
    default: {
      auto sp = (uint64_t)context->uc_mcontext.gregs[REG_RSP];
      bool in_guard = layout::in_stacks(address) && !layout::in_stacks(address + layout::kStackBytes) ? false
                      : layout::in_stacks(address);
      if (in_guard && address < sp + 65536 && sp < address + 65536 + layout::kPage * 16) text << "stack overflow (SIGSEGV)";
      else if (address < 65536) text << "null pointer access (SIGSEGV)";
      else text << "invalid memory access (SIGSEGV)";
    }
  }
  return buffer;
}

void set_signal_mask(uint64_t mask) { sys(__NR_rt_sigprocmask, SIG_SETMASK, &mask, nullptr, 8); }

// Blocked while a fault is dealt with, and in threads whose turn it is not: who asks for an end wants to know where the program is, not
// where we are.
constexpr uint64_t kAskForEnd = 1ULL << (wire::kHangSignal - 1) | 1ULL << (wire::kMemorySignal - 1);

void on_crash(int number, siginfo_t* info, void* raw) {
  auto* context = static_cast<ucontext_t*>(raw);
  auto address = reinterpret_cast<uint64_t>(info->si_addr);
  auto pc = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
  if (number == SIGILL)
    if (uint64_t target = patch_target(pc)) {  // a jump for which there was no room
      context->uc_mcontext.gregs[REG_RIP] = (greg_t)target;
      return;
    }
  const bool is_refused = number == SIGSEGV && info->si_code == SEGV_ACCERR;
  if (is_refused && address == pc && unseen_entered(pc)) return;
  if (is_refused && rollback_fault(address)) return;
  pc = original_pc(pc);
  Runtime& r = R();
  if (r.probing) pc = r.probing;
  r.probing = 0;
  char text[160];
  crash_text(number, info, context, text, sizeof text);
  bool in_program = r.current && !r.in_runtime;  // not heddle_mode: the program may have overwritten it
  if (!in_program) {
    char line[200];
    (Text(line, sizeof line) << "the runtime itself crashed: " << text << ", in the code at ").hex(wire::offset_of(name_of(pc)));
    fatal(line);
  }
  if (r.report_count == kMaxReports) --r.report_count;
  wire::Report* out = add_report(wire::ReportKind::Crash, pc, text);  // a debugger has seen the signal
  out->signal = (uint8_t)number;
  out->address = name_of(address);
  set_signal_mask(0);  // there is no return from here
  end_run(wire::End::Stopped);
}

// The explorer asks for an end, and where it was.
void interrupt(void* raw, const char* why, wire::End end) {
  Runtime& r = R();
  if (r.in_runtime || !r.current || r.ended) return;
  greg_t* g = static_cast<ucontext_t*>(raw)->uc_mcontext.gregs;
  uint64_t pc = place_in_program((uint64_t)g[REG_RSP], original_pc((uint64_t)g[REG_RIP]));
  if (r.report_count == kMaxReports) --r.report_count;
  add_report(wire::ReportKind::Note, pc, why);
  r.detail = 1;
  add_stack(wire::StackRecord::OfReport, *r.current, r.report_count - 1, pc);
  r.end = end;
  r.ended = 1;         // who asks again is not heard
  set_signal_mask(0);  // there is no return from here
  end_run(end);
}

void on_hang(int, siginfo_t*, void* raw) {
  const Runtime& r = R();
  if (r.unseen_open && r.current && !r.in_runtime && !r.ended) {
    const greg_t* g = static_cast<ucontext_t*>(raw)->uc_mcontext.gregs;
    set_signal_mask(0);  // there is no return from here
    refuse_waiting(place_in_program((uint64_t)g[REG_RSP], (uint64_t)g[REG_RIP]));
  }
  interrupt(raw, "no visible operation", wire::End::Hung);
}
void on_memory(int, siginfo_t*, void* raw) { interrupt(raw, "too much memory", wire::End::OutOfMemory); }

// The kernel does not raise our write faults for its own writes: touch the pages first.
void pretouch(uint64_t address, uint64_t size) {
  if (!address) return;
  for (uint64_t a = address & ~(layout::kPage - 1); a < address + size; a += layout::kPage) {
    auto* p = reinterpret_cast<volatile unsigned char*>(a < address ? address : a);
    *p = *p;
  }
}

bool is_output(uint64_t fd) { return fd == 1 || fd == 2; }

// Output is kept in memory, of which a run that prints for ever would take all: what is beyond a limit is dropped.
long write_output(long number, const uint64_t* a) {
  Runtime& r = R();
  if (r.output_bytes < kMaxOutput) {
    r.output_written = 1;
    long written = sys(number, a[0], a[1], a[2]);
    if (written > 0) r.output_bytes += (uint64_t)written;
    return written;
  }
  if (number == __NR_write) return (long)a[2];
  uint64_t bytes = 0;
  for (uint64_t i = 0; i < a[2]; ++i) bytes += reinterpret_cast<const iovec*>(a[1])[i].iov_len;
  return (long)bytes;
}

long draw_random(const uint64_t* a) {
  for (uint64_t i = 0; i < a[1]; ++i) reinterpret_cast<unsigned char*>(a[0])[i] = (unsigned char)program_random();
  return (long)a[1];
}

// In the rollback executor: the result of the call, or no return at all.
long emulate(long number, const uint64_t* a, uint64_t pc) {
  Runtime& r = R();
  long result = 0;
  if (emulate_file_call(number, a, result) || emulate_file_question(number, a, result)) return result;
  switch (number) {
    case __NR_write:
    case __NR_writev:
      if (!is_output(a[0])) break;
      return write_output(number, a);
    case __NR_fstat:
      if (a[0] > 2) break;
      pretouch(a[1], 144);
      return sys(number, a[0], a[1]);
    case __NR_newfstatat:
      if (a[0] > 2) break;
      pretouch(a[2], 144);
      return sys(number, a[0], a[1], a[2], a[3]);
    case __NR_ioctl:
      if (a[0] > 2) break;
      return -ENOTTY;
    case __NR_lseek:
      if (!is_output(a[0])) break;
      return -ESPIPE;
    case __NR_fsync: return 0;
    case __NR_getpid: return r.segment->target_pid;
    case __NR_gettid: return r.segment->target_pid + self().slot;
    case __NR_getppid: return 1;
    case __NR_getuid: case __NR_geteuid: case __NR_getgid: case __NR_getegid: return sys(number);
    case __NR_sched_yield: return 0;
    case __NR_madvise: return 0;
    case __NR_mmap:
      if ((int)a[4] >= 0 || !(a[3] & MAP_ANONYMOUS) || (a[3] & (MAP_SHARED | MAP_FIXED))) break;
      return (long)heap_allocate((a[1] + 4095) & ~4095ULL, 4096, 0);
    case __NR_munmap:
      if (layout::in_heap(a[0])) return heap_unmap(a[0], a[1], pc);
      break;
    case __NR_mprotect:
      if (layout::in_heap(a[0]) && (a[2] & PROT_WRITE)) return 0;
      break;
    case __NR_rt_sigprocmask: return 0;
    case __NR_rt_sigaction: return 0;
    case __NR_sigaltstack: return 0;
    case __NR_prctl:
      if (a[0] == PR_SET_NAME) return 0;
      break;
    case __NR_getrandom:
      return draw_random(a);
    case __NR_getcwd:
      pretouch(a[0], a[1]);
      return sys(number, a[0], a[1]);
    case __NR_uname:
      pretouch(a[0], 390);
      return sys(number, a[0]);
    case __NR_prlimit64:
      if (a[2]) break;
      pretouch(a[3], 16);
      return sys(number, 0, a[1], 0, a[3]);
    case __NR_getrlimit:
      pretouch(a[1], 16);
      return sys(number, a[0], a[1]);
    case __NR_sysinfo:
      pretouch(a[0], 112);
      return sys(number, a[0]);
    case __NR_sched_getaffinity:
      pretouch(a[2], a[1]);
      return sys(number, 0, a[1], a[2]);
    case __NR_exit_group:
    case __NR_exit:
      r.exit_status = (int)a[0];
      end_run(wire::End::Completed);
    default: break;
  }
  needs_fork(syscall_name(number));
}

// Calls that start threads or processes, or may block in the kernel while other threads could go on.
bool could_block_or_start(long number) {
  switch (number) {
    case __NR_clone: case __NR_clone3: case __NR_fork: case __NR_vfork: case __NR_execve: case __NR_execveat:
    case __NR_poll: case __NR_ppoll: case __NR_select: case __NR_pselect6: case __NR_epoll_wait: case __NR_epoll_pwait:
    case __NR_epoll_pwait2: case __NR_pause: case __NR_rt_sigsuspend: case __NR_rt_sigtimedwait: case __NR_wait4:
    case __NR_waitid: case __NR_accept: case __NR_accept4: case __NR_recvfrom: case __NR_recvmsg: case __NR_recvmmsg:
    case __NR_nanosleep: case __NR_clock_nanosleep: case __NR_flock: case __NR_semop: case __NR_semtimedop:
    case __NR_msgrcv: case __NR_msgsnd: case __NR_mq_timedreceive: case __NR_mq_timedsend: case __NR_io_uring_enter:
    case __NR_io_getevents: case __NR_alarm: case __NR_setitimer: case __NR_timer_create:
      return true;
    default: return false;
  }
}

bool ready(uint64_t fd, short events) {
  struct { int fd; short events, revents; } p = {(int)fd, events, 0};
  return sys(__NR_poll, &p, 1, 0) != 0;
}

// What goes through a file is no synchronisation: nobody waits for it.
bool is_ordinary_file(uint64_t fd) {
  struct stat facts {};
  return sys(__NR_fstat, fd, &facts) == 0 && S_ISREG(facts.st_mode);
}

long emulate_in_fork(long number, const uint64_t* a, uint64_t pc) {
  Runtime& r = R();
  long result = 0;
  if (emulate_named_file(number, a, pc, result)) return result;
  switch (number) {
    case __NR_getrandom: return draw_random(a);
    case __NR_read:
    case __NR_readv:
      if (!ready(a[0], 1 /* POLLIN */)) unsupported("read", pc, "from a descriptor that has nothing to read: it would block");
      if (!is_ordinary_file(a[0])) acquire(self(), r.io_clock);
      return sys(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    case __NR_write:
    case __NR_writev:
      if (is_output(a[0])) {
        return write_output(number, a);
      } else {
        if (!ready(a[0], 4 /* POLLOUT */)) unsupported("write", pc, "to a descriptor that takes nothing: it would block");
        if (!is_ordinary_file(a[0])) release(self(), r.io_clock);
      }
      return sys(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    case __NR_futex:
      if ((a[1] & 127) == 1 || (a[1] & 127) == 10) return 0;  // a wake-up inside libc: nobody can sleep there
      unsupported("futex", pc, "inside an uninstrumented library");
    case __NR_getpid: return r.segment->target_pid;
    case __NR_exit_group:
    case __NR_exit:
      r.exit_status = (int)a[0];
      end_run(wire::End::Completed);
    default:
      if (names_a_file(number)) return sys(number, a[0], a[1], a[2], a[3], a[4], a[5]);
      unsupported(syscall_name(number), pc);
  }
}

void on_syscall(int, siginfo_t* info, void* raw) {
  auto* context = static_cast<ucontext_t*>(raw);
  greg_t* g = context->uc_mcontext.gregs;
  uint64_t a[6] = {(uint64_t)g[REG_RDI], (uint64_t)g[REG_RSI], (uint64_t)g[REG_RDX],
                   (uint64_t)g[REG_R10], (uint64_t)g[REG_R8],  (uint64_t)g[REG_R9]};
  long number = info->si_syscall;
  if (!R().current || R().in_runtime) fatal("the runtime itself made an unguarded system call");
  if (R().owes_pieces) show_real_words();
  ++R().writes;  // what the kernel keeps counts as changed (await.cpp)
  // Not the nearest return address: one of our own hooks may have made the call on behalf of the program.
  uint64_t pc = place_in_program((uint64_t)g[REG_RSP], original_pc((uint64_t)g[REG_RIP] - 1));
  if (could_block_or_start(number)) unsupported(syscall_name(number), pc);
  bool rollback = R().segment->options.executor == wire::Executor::Rollback;
  if (rollback && number == __NR_futex) unsupported("futex", pc, "inside an uninstrumented library");
  g[REG_RAX] = rollback ? emulate(number, a, pc) : emulate_in_fork(number, a, pc);
}

void install(int number, void (*handler)(int, siginfo_t*, void*), uint64_t blocked = 0) {
  KernelAction action{handler, SA_SIGINFO | SA_ONSTACK | SA_NODEFER | 0x04000000 /* SA_RESTORER */, heddle_sigreturn, blocked};
  sys(__NR_rt_sigaction, number, &action, 0, 8);
}

constexpr sock_filter load(uint32_t offset) { return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset); }
constexpr sock_filter jump_if(uint16_t how, uint32_t k, uint8_t yes, uint8_t no) {
  return BPF_JUMP((uint16_t)(BPF_JMP | how | BPF_K), k, yes, no);
}
constexpr sock_filter answer(uint32_t what) { return BPF_STMT(BPF_RET | BPF_K, what); }

}  // namespace

void listen_to_explorer(bool listen) { set_signal_mask(listen ? 0 : kAskForEnd); }

// Of the kernel thread that calls. One stack is enough for all: only one thread runs at a time, and a handler does not wait.
void use_signal_stack() {
  stack_t s{};
  s.ss_sp = R().signal_stack;
  s.ss_size = kSignalStack;
  sys(__NR_sigaltstack, &s, nullptr);
}

void signals_install() {
  use_signal_stack();
  constexpr int kCrashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
  for (int number : kCrashes) install(number, on_crash, kAskForEnd);
  install(wire::kHangSignal, on_hang, kAskForEnd);  // one after the other: the second would find the first's frames
  install(wire::kMemorySignal, on_memory, kAskForEnd);
  install(SIGSYS, on_syscall);
  set_signal_mask(0);
}

void guard_install(bool rollback) {
  auto begin = reinterpret_cast<uint64_t>(heddle_sys_begin), end = reinterpret_cast<uint64_t>(heddle_sys_end);
  constexpr uint32_t kIp = offsetof(seccomp_data, instruction_pointer);
  sock_filter program[256];
  int n = 0;
  // Calls from our own stub pass: same upper half of the address, lower half within the stub.
  program[n++] = load(kIp + 4);
  program[n++] = jump_if(BPF_JEQ, (uint32_t)(begin >> 32), 0, 4);
  program[n++] = load(kIp);
  program[n++] = jump_if(BPF_JGE, (uint32_t)begin, 0, 2);
  program[n++] = jump_if(BPF_JGT, (uint32_t)end, 1, 0);
  program[n++] = answer(SECCOMP_RET_ALLOW);
  program[n++] = load(offsetof(seccomp_data, nr));
  program[n++] = jump_if(BPF_JEQ, __NR_rt_sigreturn, 0, 1);
  program[n++] = answer(SECCOMP_RET_ALLOW);
  if (!rollback) {
    static constexpr int kTrapped[] = {
        __NR_read, __NR_readv, __NR_write, __NR_writev, __NR_futex, __NR_getpid, __NR_exit_group, __NR_exit, __NR_clone, __NR_clone3,
        __NR_fork, __NR_vfork, __NR_execve, __NR_execveat, __NR_poll, __NR_ppoll, __NR_select, __NR_pselect6, __NR_epoll_wait,
        __NR_epoll_pwait, __NR_epoll_pwait2, __NR_pause, __NR_rt_sigsuspend, __NR_rt_sigtimedwait, __NR_wait4, __NR_waitid,
        __NR_accept, __NR_accept4, __NR_recvfrom, __NR_recvmsg, __NR_recvmmsg, __NR_nanosleep, __NR_clock_nanosleep, __NR_flock,
        __NR_semop, __NR_semtimedop, __NR_msgrcv, __NR_msgsnd, __NR_mq_timedreceive, __NR_mq_timedsend, __NR_io_uring_enter,
        __NR_io_getevents, __NR_alarm, __NR_setitimer, __NR_timer_create, __NR_getrandom,
        __NR_open, __NR_openat, __NR_openat2, __NR_creat, __NR_unlink, __NR_unlinkat, __NR_rmdir, __NR_mkdir, __NR_mkdirat,
        __NR_truncate, __NR_chmod, __NR_fchmodat, __NR_stat, __NR_lstat, __NR_newfstatat, __NR_statx, __NR_access,
        __NR_faccessat, __NR_faccessat2, __NR_readlink, __NR_readlinkat, __NR_utimensat, __NR_chdir, __NR_rename, __NR_renameat,
        __NR_renameat2, __NR_link, __NR_linkat, __NR_symlink, __NR_symlinkat, __NR_mknod, __NR_mknodat};
    for (int number : kTrapped) {
      program[n++] = jump_if(BPF_JEQ, (uint32_t)number, 0, 1);
      program[n++] = answer(SECCOMP_RET_TRAP);
    }
    program[n++] = answer(SECCOMP_RET_ALLOW);
  } else {
    program[n++] = answer(SECCOMP_RET_TRAP);
  }
  sock_fprog filter{(unsigned short)n, program};
  sys(__NR_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (sys(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) != 0 && rollback)
    fatal("seccomp filters are not available here: use --executor=fork");
}

}  // namespace heddle::rt
