// The end of the program in all its forms, signals it raises itself, and the calls that would leave our control.
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runtime/hooks.h"
#include "runtime/library/library.h"
#include "runtime/real.h"

using namespace heddle::rt;
namespace wire = heddle::wire;

// ---- the end

HEDDLE_EXPORT void exit(int status) {
  if (running()) {
    R().exit_status = status;
    heddle_run_tls_destructors();
  }
  REAL(exit)(status);
  __builtin_unreachable();
}

namespace {

[[noreturn]] void leave_at_once(int status) {
  R().exit_status = status;
  PendingOp op = operation(Op::Exit, nullptr, 0);
  op.rest = Rest::Nothing;
  if (R().created > 1) announce(op);
  end_run(wire::End::Completed);
}

const char* exception_in_flight();

}  // namespace

HEDDLE_EXPORT void _exit(int status) {
  if (running()) leave_at_once(status);
  if (!passive()) fatal("the program called _exit before main");
  REAL(_exit)(status);
  __builtin_unreachable();
}
HEDDLE_EXPORT void _Exit(int status) {
  if (running()) leave_at_once(status);
  if (!passive()) fatal("the program called _Exit before main");
  REAL(_Exit)(status);
  __builtin_unreachable();
}
HEDDLE_EXPORT void quick_exit(int status) {
  if (running()) R().exit_status = status;
  REAL(quick_exit)(status);  // runs the at_quick_exit handlers and ends in exit_group, which the guard catches
  __builtin_unreachable();
}

HEDDLE_EXPORT void abort(void) {
  if (running()) {
    fflush(nullptr);
    const char* type = exception_in_flight();
    stop_with(type ? wire::ReportKind::Exception : wire::ReportKind::Abort, HEDDLE_PC, type ? type : "abort() called");
  }
  REAL(abort)();
  __builtin_unreachable();
}

HEDDLE_EXPORT void __assert_fail(const char* condition, const char* file, unsigned line, const char* function) {
  if (running()) {
    char text[256];
    Text(text, sizeof text) << "assertion `" << condition << "` failed in " << function << " at " << file << ":" << line;
    fflush(nullptr);
    stop_with(wire::ReportKind::Assertion, HEDDLE_PC, text);
  }
  REAL(__assert_fail)(condition, file, line, function);
  __builtin_unreachable();
}

// What `error` prints and does, since it has no form that takes a list of arguments.
extern "C" void error(int, int, const char*, ...);
HEDDLE_EXPORT void error(int status, int number, const char* format, ...) {
  const uint64_t pc = HEDDLE_PC;
  va_list arguments;
  va_start(arguments, format);
  if (library::counts(pc)) library::announce_format(format, arguments, pc);
  fflush(stdout);
  fprintf(stderr, "%s: ", program_invocation_name);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  errno = number;
  if (number) fprintf(stderr, ": %m");
  fputc('\n', stderr);
  fflush(stderr);
  if (status) exit(status);
}

// What abort() was called for: std::terminate with an exception in flight.
extern "C" __attribute__((weak)) void* __cxa_current_exception_type();
namespace {
const char* exception_in_flight() {
  void* type = __cxa_current_exception_type ? __cxa_current_exception_type() : nullptr;
  return type ? static_cast<const char**>(type)[1] : nullptr;  // std::type_info: vptr, mangled name
}
}  // namespace

// ---- signals the program raises itself

namespace heddle::rt {

struct SignalTable {
  struct sigaction action[65];
};

namespace {

constexpr uint64_t bit(int number) { return 1ULL << (number - 1); }

// In the program's memory: rolled back with it.
SignalTable g_signals;

bool valid_signal(int number) { return number > 0 && number < 65; }

void deliver(int number, uint64_t pc) {
  struct sigaction action = g_signals.action[number];
  if (action.sa_handler == SIG_IGN) return;
  if (action.sa_handler == SIG_DFL) {
    if (number == SIGCHLD || number == SIGCONT || number == SIGURG || number == SIGWINCH) return;
    char text[64];
    Text(text, sizeof text) << "killed by signal " << number << " that it raised itself";
    if (R().report_count == kMaxReports) --R().report_count;
    wire::Report* r = report(wire::ReportKind::Crash, pc, text);
    r->signal = (uint8_t)number;
    end_run(wire::End::Stopped);
  }
  if (action.sa_flags & SA_RESETHAND) g_signals.action[number].sa_handler = SIG_DFL;
  uint64_t before = self().signal_mask;
  self().signal_mask |= bit(number);
  if (action.sa_flags & SA_SIGINFO) {
    siginfo_t info{};
    info.si_signo = number;
    action.sa_sigaction(number, &info, nullptr);
  } else {
    action.sa_handler(number);
  }
  self().signal_mask = before;
}

void deliver_pending(uint64_t pc) {
  Thread& t = self();
  while (uint64_t now = t.signals_pending & ~t.signal_mask) {
    int number = __builtin_ctzll(now) + 1;
    t.signals_pending &= ~bit(number);
    deliver(number, pc);
  }
}

// A thread that sleeps in sigwait does so on a semaphore of its own, which whoever sends it a signal posts.
Object* mailbox_of(Thread& t) { return find_object(raw(&t.signals_pending), Kind::Semaphore); }

// To a thread that has blocked the signal: it will find it pending. Anything else would interrupt it anywhere in its code.
int send_signal(Thread& to, int number, uint64_t pc) {
  if (!valid_signal(number)) return EINVAL;
  if (!(to.signal_mask & bit(number))) unsupported("pthread_kill", pc, "of another thread that does not block the signal");
  announce(complete(operation(Op::SemPost, mailbox_of(to), pc), to.slot, (uint64_t)number));
  to.signals_pending |= bit(number);
  return 0;
}

int wait_for_signal(uint64_t set, int* number, uint64_t pc) {
  Thread& t = self();
  announce(complete(operation(Op::SemTryWait, mailbox_of(t), pc), set, raw(number)));  // what has come already may have been counted with other signals
  while (!(t.signals_pending & set)) {
    t.signals_awaited = set;
    announce(complete(operation(Op::SemWait, mailbox_of(t), pc), set, raw(number)));
    t.signals_awaited = 0;
  }
  *number = __builtin_ctzll(t.signals_pending & set) + 1;
  t.signals_pending &= ~bit(*number);
  return 0;
}

Thread* thread_that_awaits(int number) {
  Runtime& r = R();
  for (uint32_t i = 0; i < r.clock_width; ++i)
    if (r.threads[i].state == ThreadState::Live && (r.threads[i].signals_awaited & bit(number))) return &r.threads[i];
  return nullptr;
}

int raise_signal(int number, uint64_t pc) {
  if (!valid_signal(number)) return EINVAL;
  Thread& t = self();
  if (number == SIGKILL || number == SIGSTOP || !(t.signal_mask & bit(number))) deliver(number, pc);
  else return send_signal(t, number, pc);
  return 0;
}

int change_mask(int how, const sigset_t* set, sigset_t* old, uint64_t pc) {
  Thread& t = self();
  uint64_t before = t.signal_mask;
  library::caller_reads(set, sizeof *set, pc);
  library::caller_writes(old, sizeof *old, pc);
  if (set) {
    uint64_t bits = set->__val[0];
    switch (how) {
      case SIG_BLOCK: t.signal_mask |= bits; break;
      case SIG_UNBLOCK: t.signal_mask &= ~bits; break;
      case SIG_SETMASK: t.signal_mask = bits; break;
      default: return EINVAL;
    }
  }
  if (old) {
    heddle_rt_memset(old, 0, sizeof *old);
    old->__val[0] = before;
  }
  deliver_pending(pc);
  return 0;
}

int failed_with(int error) {
  errno = error;
  return -1;
}

}  // namespace
}  // namespace heddle::rt

HEDDLE_EXPORT int sigaction(int number, const struct sigaction* action, struct sigaction* old) {
  if (passive()) return REAL(sigaction)(number, action, old);
  if (!valid_signal(number) || ((number == SIGKILL || number == SIGSTOP) && action)) return failed_with(EINVAL);
  library::caller_reads(action, sizeof *action, HEDDLE_PC);
  library::caller_writes(old, sizeof *old, HEDDLE_PC);
  if (old) *old = g_signals.action[number];
  if (action) g_signals.action[number] = *action;
  return 0;
}
extern "C" sighandler_t signal(int, sighandler_t);
HEDDLE_EXPORT sighandler_t signal(int number, sighandler_t handler) {
  if (passive()) return REAL(signal)(number, handler);
  if (!valid_signal(number)) {
    errno = EINVAL;
    return SIG_ERR;
  }
  sighandler_t old = g_signals.action[number].sa_handler;
  g_signals.action[number] = {};
  g_signals.action[number].sa_handler = handler;
  return old;
}
HEDDLE_EXPORT int raise(int number) {
  if (!running()) return REAL(raise)(number);
  int error = raise_signal(number, HEDDLE_PC);
  return error ? failed_with(error) : 0;
}
HEDDLE_EXPORT int kill(pid_t pid, int number) {
  if (!running()) return REAL(kill)(pid, number);
  if (pid != R().segment->target_pid && pid != 0) unsupported("kill", HEDDLE_PC, "of another process");
  if (number == 0) return 0;
  Thread* waiter = valid_signal(number) ? thread_that_awaits(number) : nullptr;
  int error = waiter ? send_signal(*waiter, number, HEDDLE_PC) : raise_signal(number, HEDDLE_PC);
  return error ? failed_with(error) : 0;
}
HEDDLE_EXPORT int pthread_kill(pthread_t thread, int number) {
  if (!running()) return REAL(pthread_kill)(thread, number);
  Thread* other = thread_of(thread);
  if (!other || other->state != ThreadState::Live) return ESRCH;
  if (number == 0) return 0;
  return other == &self() ? raise_signal(number, HEDDLE_PC) : send_signal(*other, number, HEDDLE_PC);
}
HEDDLE_EXPORT int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) {
  return running() ? change_mask(how, set, old, HEDDLE_PC) : REAL(pthread_sigmask)(how, set, old);
}
HEDDLE_EXPORT int sigprocmask(int how, const sigset_t* set, sigset_t* old) {
  if (!running()) return REAL(sigprocmask)(how, set, old);
  int error = change_mask(how, set, old, HEDDLE_PC);
  return error ? failed_with(error) : 0;
}

HEDDLE_EXPORT int sigwait(const sigset_t* set, int* number) {
  if (!running()) return REAL(sigwait)(set, number);
  library::caller_reads(set, sizeof *set, HEDDLE_PC);
  int error = wait_for_signal(set->__val[0], number, HEDDLE_PC);
  library::caller_wrote(number, sizeof *number, HEDDLE_PC);
  return error;
}

// ---- who and where am I

HEDDLE_EXPORT pid_t getpid(void) { return passive() ? REAL(getpid)() : R().segment->target_pid; }
HEDDLE_EXPORT pid_t gettid(void) { return passive() ? REAL(gettid)() : R().segment->target_pid + self().slot; }
HEDDLE_EXPORT long sysconf(int name) {
  if (!passive() && (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF)) return R().segment->options.cpus;
  return REAL(sysconf)(name);
}
HEDDLE_EXPORT int get_nprocs(void) { return passive() ? REAL(get_nprocs)() : (int)R().segment->options.cpus; }
HEDDLE_EXPORT int get_nprocs_conf(void) { return passive() ? REAL(get_nprocs_conf)() : (int)R().segment->options.cpus; }
HEDDLE_EXPORT int sched_getcpu(void) { return passive() ? REAL(sched_getcpu)() : 0; }
HEDDLE_EXPORT int sched_setaffinity(pid_t p, size_t n, const cpu_set_t* s) {
  return passive() ? REAL(sched_setaffinity)(p, n, s) : 0;
}

// ---- calls that would start a process, or block where we cannot see

#define REFUSED(result, name, parameters, arguments)            \
  HEDDLE_EXPORT result name parameters {                        \
    if (passive()) return REAL(name) arguments;                 \
    unsupported(#name, HEDDLE_PC);                              \
  }
REFUSED(pid_t, fork, (void), ())
REFUSED(pid_t, vfork, (void), ())
REFUSED(int, system, (const char* c), (c))
REFUSED(FILE*, popen, (const char* c, const char* m), (c, m))
REFUSED(int, execve, (const char* p, char* const* a, char* const* e), (p, a, e))
REFUSED(int, execv, (const char* p, char* const* a), (p, a))
REFUSED(int, execvp, (const char* p, char* const* a), (p, a))
REFUSED(int, execvpe, (const char* p, char* const* a, char* const* e), (p, a, e))
REFUSED(int, posix_spawn, (pid_t* i, const char* p, const posix_spawn_file_actions_t* f, const posix_spawnattr_t* t, char* const* a, char* const* e), (i, p, f, t, a, e))
REFUSED(int, posix_spawnp, (pid_t* i, const char* p, const posix_spawn_file_actions_t* f, const posix_spawnattr_t* t, char* const* a, char* const* e), (i, p, f, t, a, e))
REFUSED(int, pause, (void), ())
REFUSED(int, sigsuspend, (const sigset_t* s), (s))
REFUSED(unsigned, alarm, (unsigned s), (s))
REFUSED(int, timer_create, (clockid_t c, sigevent* e, timer_t* t), (c, e, t))
REFUSED(int, setitimer, (__itimer_which_t w, const itimerval* n, itimerval* o), (w, n, o))
REFUSED(int, poll, (pollfd* f, nfds_t n, int t), (f, n, t))
REFUSED(int, ppoll, (pollfd* f, nfds_t n, const timespec* t, const sigset_t* s), (f, n, t, s))
REFUSED(int, select, (int n, fd_set* r, fd_set* w, fd_set* e, timeval* t), (n, r, w, e, t))
REFUSED(int, pselect, (int n, fd_set* r, fd_set* w, fd_set* e, const timespec* t, const sigset_t* s), (n, r, w, e, t, s))
REFUSED(int, epoll_wait, (int f, epoll_event* e, int n, int t), (f, e, n, t))
REFUSED(int, epoll_pwait, (int f, epoll_event* e, int n, int t, const sigset_t* s), (f, e, n, t, s))
REFUSED(pid_t, wait, (int* s), (s))
REFUSED(pid_t, waitpid, (pid_t p, int* s, int o), (p, s, o))
REFUSED(int, accept, (int f, sockaddr* a, socklen_t* n), (f, a, n))
REFUSED(int, accept4, (int f, sockaddr* a, socklen_t* n, int o), (f, a, n, o))

// ---- for the program's own use

HEDDLE_EXPORT int heddle_choose(int n) {
  if (n < 2 || !running()) return 0;
  if (n > wire::kMaxAlternatives) unsupported("heddle_choose", HEDDLE_PC, "with more than 128 values");
  return announce(complete(operation(Op::Choose, nullptr, HEDDLE_PC, (uint64_t)n)));
}

namespace {

// std::ctype<char>::narrow() remembers its answers in the facet, without synchronisation, in code that is inlined into the program: to
// std::regex in two threads that looks like a race, and is one, of the library (gcc's bug 77704). A table that is filled already is only read.
void fill_character_table() {
  using Classic = const void* (*)();
  using Facet = const void* (*)(const void*);
  using Fill = void (*)(const void*);
  auto classic = reinterpret_cast<Classic>(dlsym(RTLD_DEFAULT, "_ZNSt6locale7classicEv"));
  auto facet = reinterpret_cast<Facet>(dlsym(RTLD_DEFAULT, "_ZSt9use_facetISt5ctypeIcEERKT_RKSt6locale"));
  auto fill = reinterpret_cast<Fill>(dlsym(RTLD_DEFAULT, "_ZNKSt5ctypeIcE14_M_narrow_initEv"));
  if (classic && facet && fill) fill(facet(classic()));
}

}  // namespace

namespace heddle::rt {

void string_hooks_prepare();
void cstring_hooks_prepare();
void stdio_hooks_prepare();
void library_hooks_prepare();
void hidden_calls_prepare();

// Before the first run: find the real functions that a run may need (what is found during a run is rolled back and would be
// looked for again in the next), and load what unwinding needs.
void process_hooks_prepare() {
  (void)dlopen("libgcc_s.so.1", RTLD_NOW | RTLD_GLOBAL);
  (void)REAL(exit);
  (void)REAL(quick_exit);
  (void)REAL(sysconf);
  (void)REAL(pthread_exit);
  (void)REAL(syscall);
  (void)REAL(pthread_mutexattr_gettype);
  (void)REAL(pthread_mutexattr_getrobust);
  (void)REAL(pthread_condattr_getclock);
  (void)REAL(pthread_attr_getdetachstate);
  (void)REAL(pthread_attr_init);
  (void)REAL(pthread_attr_setstack);
  (void)REAL(pthread_attr_setdetachstate);
  string_hooks_prepare();
  cstring_hooks_prepare();
  stdio_hooks_prepare();
  library_hooks_prepare();
  hidden_calls_prepare();
  fill_character_table();
  tzset();  // the time zone's file, before reading it would be I/O of a run
}

}  // namespace heddle::rt
