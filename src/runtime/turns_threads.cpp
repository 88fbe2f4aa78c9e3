// Turns of real threads, for debugging. The scheduler has a stack and no kernel thread: whoever ends its turn carries it, and once it has
// decided who is next, goes back to its own stack, lets that one go on and sleeps. So a debugger finds every thread on its own stack, in
// its own call of whatever it waits for, and finds no other threads than the program's.
#include <linux/futex.h>
#include <linux/sched.h>
#include <sys/prctl.h>

#include "runtime/turns.h"

extern "C" {

// Here the debugger has its breakpoints. Both get the place in the program as first argument, 0 where it is not known.
__attribute__((noinline)) void heddle_finding(uint64_t pc, uint64_t step) { asm volatile("" ::"r"(pc), "r"(step) : "memory"); }
__attribute__((noinline)) void heddle_step(uint64_t pc) { asm volatile("" ::"r"(pc) : "memory"); }
}

namespace heddle::rt {
namespace {

// What debuggers list: the number that reports use, and the name that the program has given.
void put_up_name(const Thread& t) {
  char text[32];
  Text name(text, sizeof text);
  if (t.name[0]) name << t.slot << " " << t.name;
  else if (t.slot) name << "thread " << t.slot;
  else name << "main";
  sys(__NR_prctl, PR_SET_NAME, text);
}

// First code of a kernel thread, on the signal stack: the thread's own is to begin as a fiber's does.
void begin(void* argument) {
  auto& t = *static_cast<Thread*>(argument);
  use_signal_stack();
  listen_to_explorer(true);
  put_up_name(t);
  asm volatile("ldmxcsr %0" ::"m"(t.mxcsr));
  asm volatile("fldcw %0" ::"m"(t.fpu_control));
  void* nowhere;
  heddle_switch(&nowhere, t.sp);
}

void start_kernel_thread(Thread& t) {
  constexpr unsigned long kThread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS;
  if (heddle_clone(kThread, R().signal_stack + kSignalStack, t.fs_base, begin, &t) < 0) fatal("cannot start a thread (a limit on processes, ulimit -u?)");
}

// REQUIRES that the scheduler has said whose turn it is, and that nobody is on its stack.
void hand_over() {
  Thread& next = *R().turn;
  Slot& s = R().slots[next.slot];
  if (!s.begun) {
    s.begun = 1;
    return start_kernel_thread(next);
  }
  __atomic_store_n(&s.turn, 1, __ATOMIC_RELEASE);
  sys(__NR_futex, &s.turn, FUTEX_WAKE_PRIVATE, 1);
}

void sleep_until_turn(const Thread& t) {
  uint32_t* turn = &R().slots[t.slot].turn;
  while (!__atomic_load_n(turn, __ATOMIC_ACQUIRE)) sys(__NR_futex, turn, FUTEX_WAIT_PRIVATE, 0, nullptr);
  __atomic_store_n(turn, 0, __ATOMIC_RELAXED);
}

void carry_scheduler(Thread& t) {
  R().carrier = &t;
  heddle_switch(&t.sp, R().scheduler_sp);
}

}  // namespace

namespace threads {

void give_turn(Thread& t) {
  R().turn = &t;
  heddle_switch(&R().scheduler_sp, R().carrier->sp);
}

void end_turn(Thread& t) {
  put_up_name(t);
  for (;;) {
    carry_scheduler(t);
    if (R().turn != &t) {
      listen_to_explorer(false);
      hand_over();
      sleep_until_turn(t);
      listen_to_explorer(true);
    }
    if (!R().showing) break;
    heddle_finding(t.pending.pc, R().steps);
  }
  heddle_step(t.pending.pc);
}

void leave_turns(Thread& t) {
  carry_scheduler(t);
  listen_to_explorer(false);
  hand_over();
  // The process's first thread stays, since the kernel would keep it as a zombie that debuggers stumble over.
  if (t.slot == 0) sleep_until_turn(t);
  for (;;) sys(__NR_exit, 0);
}

}  // namespace threads

void prepare_real_threads() {
  Runtime& r = R();
  r.real_threads = 1;
  r.carrier = &r.threads[0];
  r.slots[0].begun = 1;
  put_up_name(r.threads[0]);
  sys(__NR_prctl, PR_SET_PTRACER, PR_SET_PTRACER_ANY);  // a debugger is no ancestor of ours
}

void show_finding(Thread& t, uint64_t pc) {
  Runtime& r = R();
  if (!r.in_runtime) return heddle_finding(pc, r.steps);
  r.showing = 1;
  threads::give_turn(t);
  r.showing = 0;
}

}  // namespace heddle::rt
