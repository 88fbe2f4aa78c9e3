// What a state is: everything that decides what the program can still do, and nothing else.
//
//   memory            what differs from the stop at main, and the live part of every stack (mirror.cpp). Freed heap blocks are
//                     cleared when they are freed (heap.cpp), so what was in them does not count.
//   objects           owners, counts, queues. An object in its initial state adds nothing, so it does not matter whether it was ever
//                     used. Queues are sets: whoever is woken is an alternative.
//   threads           what each is about to do, its registers, whether it was woken, joined, detached, where its next heap block
//                     will be, how many random numbers it has drawn, how often it has timed out (where that is bounded), its signals and destructors.
//   time              only once the program has looked at a clock, in whatever run (time_was_read).
// Not in it: vector clocks, numbers of events, what was reported, and what was printed.
//
// A thread's frames count from the hook's caller upwards: the runtime's own frames hold addresses of ours. What they hold of the program's
// are its registers, which the files between a hook and announce() are compiled to leave alone (CMakeLists.txt), so that they
// are found where heddle_switch saved them (those that the program will not read again do not count, liveness.cpp); and the hook's arguments, which the operation tells (PendingOp::operand). A
// hook that does not promise that (Rest::Hook) has its frames counted in full: equal states may then look
// different, never the other way round.
#pragma once
#include "runtime/runtime.h"
#include "runtime/timeouts.h"

namespace heddle::rt {

// The facts are told to a `Fact`, which has word(uint64_t): LongFact makes a print of them, verify.cpp writes them down.

inline bool time_counts() { return R().segment->clock_counts != 0; }
// What the thread has announced itself: an await (await.cpp) stands for the operation that it puts off.
inline const PendingOp& announced(const Thread& t) { return t.streak.waiting ? t.streak.resumed : t.pending; }

inline constexpr int kSavedWords = 7;  // what heddle_switch leaves: six registers and its return address

// ---- threads

template <class Fact> void tell(Fact& fact, const PendingOp& p) {
  fact.word((uint64_t)p.op | (uint64_t)p.timed << 8 | (uint64_t)p.write << 16 | (uint64_t)p.size << 32);
  fact.word(p.object ? p.object->address : 0);
  fact.word(p.second ? p.second->address : 0);
  fact.word(p.address);
  fact.word(p.argument);
  fact.word(p.site);
  for (uint64_t operand : p.operand) fact.word(operand);
  fact.word(p.name);
}

template <class Fact> void tell(Fact& fact, const Streak& s) {
  fact.word(s.busy_pc);
  fact.word(s.anchor);
  if (!s.anchor) return;
  fact.word((uint64_t)s.steps << 32 | s.power);
  fact.word((uint64_t)s.locations << 32 | (uint64_t)s.waiting << 16 | (uint64_t)s.changed << 8 | s.overflow);
  for (uint32_t i = 0; i < s.locations; ++i) {
    fact.word(s.location[i].address);
    fact.word(s.location[i].size);
  }
  if (s.waiting) tell(fact, s.resumed);
}

// Registers as heddle_switch saved them; zero for those that the program will not read again.
template <class Visit> void each_register(Thread& t, Visit visit) {
  constexpr int kNumber[] = {15, 14, 13, 12, 3, 5};
  auto* word = static_cast<const uint64_t*>(t.sp);
  bool are_programs = frames_low(t) != reinterpret_cast<uint64_t>(t.sp);  // not registers of our own frames
  uint16_t live = !are_programs ? 0xffff : announced(t).rest == Rest::Nothing ? 0 : live_registers(announced(t).site + 1);
  for (int i = 0; i < kSavedWords - 1; ++i) visit(live >> kNumber[i] & 1 ? word[i] : 0);
}

template <class Fact> void tell_registers(Fact& fact, Thread& t) {
  each_register(t, [&fact](uint64_t value) { fact.word(value); });
  uint32_t mxcsr = t.mxcsr;
  uint16_t control = t.fpu_control;
  if (R().last_fiber == &t) {
    asm volatile("stmxcsr %0" : "=m"(mxcsr));
    asm volatile("fnstcw %0" : "=m"(control));
  }
  fact.word((uint64_t)mxcsr << 16 | control);
}

template <class Fact> void tell_time(Fact& fact, const Thread& t) {
  fact.word(t.clock.time);
  fact.word(t.clock_looks);
  fact.word(t.has_fence_release ? t.fence_release.time : 0);
  fact.word(t.has_fence_acquire ? t.fence_acquire.time : 0);
  fact.word(t.woken ? t.woken_clock.time : 0);
}

template <class Fact> void tell_duties(Fact& fact, const Thread& t) {
  const ThreadStore& store = R().stores[t.slot];
  fact.word((uint64_t)t.tls_destructors << 32 | t.ready_at_exit);
  for (uint32_t i = 0; i < t.tls_destructors; ++i) {
    fact.word(reinterpret_cast<uint64_t>(store.tls_destructors[i].function));
    fact.word(reinterpret_cast<uint64_t>(store.tls_destructors[i].object));
  }
  for (uint32_t i = 0; i < t.ready_at_exit; ++i) fact.word(store.ready_at_exit[i]);
}

// Of the thread that a pending creation will start.
template <class Fact> void tell_child(Fact& fact, const Thread& t) {
  if (t.pending.op != Op::ThreadCreate) return;
  const Thread& child = R().threads[t.pending.argument];
  fact.word(reinterpret_cast<uint64_t>(child.start));
  fact.word(reinterpret_cast<uint64_t>(child.start_argument));
  fact.word(child.on_start);
}

template <class Fact> void tell_live(Fact& fact, Thread& t) {
  fact.word((uint64_t)t.detached | (uint64_t)t.joined << 8 | (uint64_t)t.woken << 16 | (uint64_t)t.ignoring_reads << 24 | (uint64_t)t.children << 32 |
            (uint64_t)t.ignoring_writes << 48);
  fact.word(frames_low(t));
  fact.word(R().arenas[t.slot].next);
  fact.word(t.randoms);
  tell_timeouts(fact, t);
  fact.word(t.signal_mask);
  fact.word(t.signals_pending);
  fact.word(t.signals_awaited);
  fact.word(reinterpret_cast<uint64_t>(t.result));
  fact.word(reinterpret_cast<const uint64_t*>(t.name)[0]);
  fact.word(reinterpret_cast<const uint64_t*>(t.name)[1]);
  tell(fact, t.pending);
  tell(fact, t.streak);
  tell_registers(fact, t);
  tell_duties(fact, t);
  tell_child(fact, t);
  if (time_counts()) tell_time(fact, t);
}

template <class Fact> void tell_finished(Fact& fact, const Thread& t) {
  fact.word((uint64_t)t.detached | (uint64_t)t.joined << 8);
  bool can_be_asked = !t.detached && !t.joined;
  fact.word(can_be_asked ? reinterpret_cast<uint64_t>(t.result) : 0);
  fact.word(can_be_asked && time_counts() ? t.clock.time : 0);
}

// ---- objects

inline bool is_initial(const Object& o) {
  if (time_counts() && (o.clock.time || (o.kind == Kind::Rwlock && o.read_clock.time))) return false;
  return o.type == MutexType::Normal && o.owner == wire::kNoThread && !o.destroyed && !o.count && !o.limit && o.readers.empty() &&
         o.waiters.empty();
}

template <class Fact> void tell_object(Fact& fact, const Object& o) {
  fact.word((uint64_t)o.kind | (uint64_t)o.type << 8 | (uint64_t)o.owner << 16 | (uint64_t)o.destroyed << 24 | (uint64_t)o.count << 32);
  fact.word(o.limit);
  for (int i = 0; i < 2; ++i) {
    fact.word(o.waiters.word[i]);
    fact.word(o.readers.word[i]);
  }
  for (int t = o.readers.next(); t >= 0; t = o.readers.next(t + 1)) fact.word(o.read_depth[t]);
  if (!time_counts()) return;
  fact.word(o.clock.time);
  fact.word(o.kind == Kind::Rwlock ? o.read_clock.time : 0);
}

// ---- the process: what is true of it, as place and value

enum ProcessFact : uint64_t { kExitStatus, kInputTime, kIsOver };

template <class Visit> void each_process_fact(Visit visit) {
  visit(kExitStatus, (uint64_t)(uint32_t)R().exit_status);
  if (time_counts()) visit(kInputTime, R().io_clock.time);
}

// Thread-specific data: key and thread, kNoThread for the key itself.
template <class Visit> void each_key_fact(Visit visit) {
  Runtime& r = R();
  for (uint32_t k = 0; k < r.key_count; ++k) {
    if (!r.keys[k].used) continue;
    visit((uint64_t)k << 8 | wire::kNoThread, reinterpret_cast<uint64_t>(r.keys[k].destructor));
    for (uint32_t t = 0; t < r.clock_width; ++t)
      if (r.threads[t].state == ThreadState::Live && r.stores[t].keys[k])
        visit((uint64_t)k << 8 | t, reinterpret_cast<uint64_t>(r.stores[t].keys[k]));
  }
}

}  // namespace heddle::rt
