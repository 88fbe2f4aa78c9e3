// Taking turns: how the scheduler lets a thread go on, and how the thread comes back. One interface, two implementations:
//   fibers   one kernel thread carries them all. What explores.
//   threads  each has a kernel thread of its own, and hands over by futex. Slow, but a debugger sees the program's threads as they are.
// Either way a thread has the same stack and the same thread-local storage, and the scheduler a stack of its own.
#pragma once
#include <asm/prctl.h>

#include "runtime/runtime.h"

namespace heddle::rt {

// ---- fibers

namespace fibers {

inline void write_fs_base(uint64_t base) {
  if (HEDDLE_LIKELY(R().has_fsgsbase)) asm volatile("wrfsbase %0" ::"r"(base));
  else sys(__NR_arch_prctl, ARCH_SET_FS, base);
}

inline void load(Thread& t) {
  Runtime& r = R();
  if (r.last_fiber == &t) return;
  if (r.last_fiber) {
    asm volatile("stmxcsr %0" : "=m"(r.last_fiber->mxcsr));
    asm volatile("fnstcw %0" : "=m"(r.last_fiber->fpu_control));
    if (r.last_fiber->mxcsr != t.mxcsr) asm volatile("ldmxcsr %0" ::"m"(t.mxcsr));
    if (r.last_fiber->fpu_control != t.fpu_control) asm volatile("fldcw %0" ::"m"(t.fpu_control));
  }
  write_fs_base(t.fs_base);
  r.last_fiber = &t;
}

inline void give_turn(Thread& t) {
  load(t);
  heddle_switch(&R().scheduler_sp, t.sp);
}

inline void end_turn(Thread& t) { heddle_switch(&t.sp, R().scheduler_sp); }

[[noreturn]] inline void leave_turns() {
  void* nowhere;
  heddle_switch(&nowhere, R().scheduler_sp);
  __builtin_unreachable();
}

}  // namespace fibers

// ---- threads (turns_threads.cpp)

namespace threads {
void give_turn(Thread& t);
void end_turn(Thread& t);
[[noreturn]] void leave_turns(Thread& t);
}  // namespace threads

void prepare_real_threads();  // from now on it is they that take turns

// A debugger may stop here: `t` runs or has announced, and the finding is about its code at `pc`, if that is known.
// REQUIRES real threads.
void show_finding(Thread& t, uint64_t pc);

// ---- the interface

// On the scheduler's stack: `t` goes on until it ends its turn or leaves.
inline void give_turn(Thread& t) {
  if (HEDDLE_UNLIKELY(R().real_threads)) threads::give_turn(t);
  else fibers::give_turn(t);
}

// In `t`: to the scheduler, and back when it is its turn again.
inline void end_turn(Thread& t) {
  if (HEDDLE_UNLIKELY(R().real_threads)) threads::end_turn(t);
  else fibers::end_turn(t);
}

// In `t`: to the scheduler for good.
[[noreturn]] inline void leave_turns(Thread& t) {
  if (HEDDLE_UNLIKELY(R().real_threads)) threads::leave_turns(t);
  fibers::leave_turns();
}

}  // namespace heddle::rt
