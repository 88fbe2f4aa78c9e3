// What a state is: everything that decides what the program can still do, and nothing else.
//
//   memory            what differs from the stop at main, and the live part of every stack (mirror.cpp). Freed heap blocks are
//                     cleared when they are freed (heap.cpp), so what was in them does not count.
//   objects           owners, counts, queues. An object in its initial state adds nothing, so it does not matter whether it was ever
//                     used. Queues are sets: whoever is woken is an alternative.
//   threads           what each is about to do, its registers, whether it was woken, joined, detached, where its next heap block
//                     will be, how many random numbers it has drawn, its signals and destructors.
//   time              only once the program has looked at a clock, in whatever run (time_was_read).
// Not in it: vector clocks, numbers of events, what was reported, and what was printed.
//
// A thread's frames count from the hook's caller upwards: the runtime's own frames hold addresses of ours. What they hold of the program's
// are its registers, which the files between a hook and announce() are compiled to leave alone (CMakeLists.txt), so that they
// are found where heddle_switch saved them; and the hook's arguments, which the operation tells (PendingOp::operand). A
// hook that does not promise that (PendingOp::complete) has its frames counted in full: equal states may then look
// different, never the other way round.
#include "runtime/runtime.h"
#include "wire/visited_table.h"

namespace heddle::rt {
namespace {

using wire::Fingerprint;
using wire::kNoThread;

// Places of facts that are not in the program's memory: beyond all addresses.
enum Place : uint64_t { kThreadFact = 1ULL << 60, kObjectFact = 2ULL << 60, kKeyFact = 3ULL << 60, kProcessFact = 4ULL << 60 };

bool time_counts() { return R().segment->clock_counts != 0; }

// ---- the frames that count

constexpr int kSavedWords = 7;  // what heddle_switch leaves: six registers and its return address

#if defined(__GNUC__) && !defined(__clang__)
constexpr bool kHooksLeaveRegisters = true;
#else
constexpr bool kHooksLeaveRegisters = false;
#endif

// What the thread has announced itself: an await (await.cpp) stands for the operation that it puts off.
const PendingOp& announced(const Thread& t) { return t.streak.waiting ? t.streak.resumed : t.pending; }

// Just above the return address of the hook. Should an older copy of that address lie below it, some of our own words are counted too.
uint64_t callers_frames(const Thread& t) {
  constexpr int kMostWords = 512;
  auto* word = static_cast<const uint64_t*>(t.sp);
  for (int i = kSavedWords; i < kMostWords; ++i)
    if (word[i] == announced(t).site + 1) return reinterpret_cast<uint64_t>(word + i + 1);
  return reinterpret_cast<uint64_t>(t.sp);
}


}  // namespace

uint64_t frames_low(Thread& t) {
  if (!t.frames_low) t.frames_low = kHooksLeaveRegisters && announced(t).complete ? callers_frames(t) : reinterpret_cast<uint64_t>(t.sp);
  return t.frames_low;
}

namespace {

// ---- threads

void tell(LongFact& fact, const PendingOp& p) {
  fact.word((uint64_t)p.op | (uint64_t)p.timed << 8 | (uint64_t)p.write << 16 | (uint64_t)p.size << 32);
  fact.word(p.object ? p.object->address : 0);
  fact.word(p.second ? p.second->address : 0);
  fact.word(p.address);
  fact.word(p.argument);
  fact.word(p.site);
  for (uint64_t operand : p.operand) fact.word(operand);
  fact.word(p.name);
}

void tell(LongFact& fact, const Streak& s) {
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

void tell_registers(LongFact& fact, const Thread& t) {
  auto* word = static_cast<const uint64_t*>(t.sp);
  for (int i = 0; i < kSavedWords - 1; ++i) fact.word(word[i]);
  uint32_t mxcsr = t.mxcsr;
  uint16_t control = t.fpu_control;
  if (R().last_fiber == &t) {
    asm volatile("stmxcsr %0" : "=m"(mxcsr));
    asm volatile("fnstcw %0" : "=m"(control));
  }
  fact.word((uint64_t)mxcsr << 16 | control);
}

void tell_time(LongFact& fact, const Thread& t) {
  fact.word(t.clock.time);
  fact.word(t.clock_looks);
  fact.word(t.has_fence_release ? t.fence_release.time : 0);
  fact.word(t.has_fence_acquire ? t.fence_acquire.time : 0);
  fact.word(t.woken ? t.woken_clock.time : 0);
}

void tell_duties(LongFact& fact, const Thread& t) {
  const ThreadStore& store = R().stores[t.slot];
  fact.word((uint64_t)t.tls_destructors << 32 | t.ready_at_exit);
  for (uint32_t i = 0; i < t.tls_destructors; ++i) {
    fact.word(reinterpret_cast<uint64_t>(store.tls_destructors[i].function));
    fact.word(reinterpret_cast<uint64_t>(store.tls_destructors[i].object));
  }
  for (uint32_t i = 0; i < t.ready_at_exit; ++i) fact.word(store.ready_at_exit[i]);
}

// Of the thread that a pending creation will start.
void tell_child(LongFact& fact, const Thread& t) {
  if (t.pending.op != Op::ThreadCreate) return;
  const Thread& child = R().threads[t.pending.argument];
  fact.word(reinterpret_cast<uint64_t>(child.start));
  fact.word(reinterpret_cast<uint64_t>(child.start_argument));
  fact.word(child.on_start);
}

Print live_thread(Thread& t) {
  LongFact fact(kThreadFact | t.slot);
  fact.word((uint64_t)t.detached | (uint64_t)t.joined << 8 | (uint64_t)t.woken << 16 | (uint64_t)t.ignoring << 24 | (uint64_t)t.children << 32);
  fact.word(frames_low(t));
  fact.word(R().arenas[t.slot].next);
  fact.word(t.randoms);
  fact.word(t.signal_mask);
  fact.word(t.signals_pending);
  fact.word(t.signals_awaited);
  fact.word(reinterpret_cast<const uint64_t*>(t.name)[0]);
  fact.word(reinterpret_cast<const uint64_t*>(t.name)[1]);
  tell(fact, t.pending);
  tell(fact, t.streak);
  tell_registers(fact, t);
  tell_duties(fact, t);
  tell_child(fact, t);
  if (time_counts()) tell_time(fact, t);
  return fact.print();
}

Print finished_thread(const Thread& t) {
  LongFact fact(kThreadFact | 1ULL << 32 | t.slot);
  fact.word((uint64_t)t.detached | (uint64_t)t.joined << 8);
  bool can_be_asked = !t.detached && !t.joined;
  fact.word(can_be_asked ? reinterpret_cast<uint64_t>(t.result) : 0);
  fact.word(can_be_asked && time_counts() ? t.clock.time : 0);
  return fact.print();
}

void add_threads(Print& sum) {
  Runtime& r = R();
  for (uint32_t i = 0; i < r.clock_width; ++i) {
    Thread& t = r.threads[i];
    if (t.state == ThreadState::Finished) sum.add(finished_thread(t));
    if (t.state != ThreadState::Live) continue;
    mirror_stack((int)i, frames_low(t));
    sum.add(r.stack_print[i]);
    sum.add(live_thread(t));
  }
}

// ---- objects

bool is_initial(const Object& o) {
  return o.type == MutexType::Normal && o.owner == kNoThread && !o.destroyed && !o.count && !o.limit && o.readers.empty() &&
         o.waiters.empty();
}

Print print_of_object(const Object& o) {
  uint64_t time = time_counts() ? o.clock.time + (o.kind == Kind::Rwlock ? o.read_clock.time : 0) : 0;
  if (is_initial(o) && !time) return {};
  LongFact fact(kObjectFact ^ o.address);
  fact.word((uint64_t)o.kind | (uint64_t)o.type << 8 | (uint64_t)o.owner << 16 | (uint64_t)o.destroyed << 24 | (uint64_t)o.count << 32);
  fact.word(o.limit);
  for (int i = 0; i < 2; ++i) {
    fact.word(o.waiters.word[i]);
    fact.word(o.readers.word[i]);
  }
  for (int t = o.readers.next(); t >= 0; t = o.readers.next(t + 1)) fact.word(o.read_depth[t]);
  if (time) {
    fact.word(o.clock.time);
    fact.word(o.kind == Kind::Rwlock ? o.read_clock.time : 0);
  }
  return fact.print();
}

void renew(Object& o) {
  Print now = print_of_object(o);
  R().objects_print.subtract(o.print);
  R().objects_print.add(now);
  o.print = now;
  o.stale = 0;
}

void renew_objects() {
  Runtime& r = R();
  if (r.stale_count <= kMaxStale)
    for (uint32_t i = 0; i < r.stale_count; ++i) renew(r.objects[r.stale[i]]);
  else
    for (uint32_t i = 0; i < r.object_count; ++i) renew(r.objects[i]);
  r.stale_count = 0;
}

// ---- the process

void add_keys(Print& sum) {
  Runtime& r = R();
  for (uint32_t k = 0; k < r.key_count; ++k) {
    if (!r.keys[k].used) continue;
    sum.add(print_of(kKeyFact | (uint64_t)k << 16 | 0xffff, reinterpret_cast<uint64_t>(r.keys[k].destructor)));
    for (uint32_t t = 0; t < r.clock_width; ++t)
      if (r.threads[t].state == ThreadState::Live && r.stores[t].keys[k])
        sum.add(print_of(kKeyFact | (uint64_t)k << 16 | t, reinterpret_cast<uint64_t>(r.stores[t].keys[k])));
  }
}

void add_process(Print& sum) {
  sum.add(print_of(kProcessFact, (uint64_t)(uint32_t)R().exit_status));
  if (time_counts()) sum.add(print_of(kProcessFact | 1, R().io_clock.time));
}

// ---- states that were visited

wire::VisitedTable visited_table() {
  const wire::Visited& v = R().segment->visited;
  auto* slots = reinterpret_cast<Fingerprint*>(reinterpret_cast<unsigned char*>(R().segment) + v.offset);
  return {slots, v.slots, nullptr, 0};
}

PassedState& passed_slot(const Fingerprint& state) {
  Runtime& r = R();
  PassedState* table = r.passed + r.passed_slots;  // a table of n slots lies at [n, 2n)
  uint64_t mask = r.passed_slots - 1, i = state.low & mask;
  while (table[i].run == r.run && !(table[i].state == state)) i = (i + 1) & mask;
  return table[i];
}

void remember_passed(const Fingerprint& state) {
  Runtime& r = R();
  if (3ULL * r.state_count >= 2ULL * r.passed_slots) {
    r.passed_slots *= 2;
    for (uint32_t i = 0; i + 1 < r.state_count; ++i) passed_slot(r.states[i]) = {r.states[i], r.run};
  }
  passed_slot(state) = {state, r.run};
}

// Was it visited by an earlier run, or earlier in this one? If not, it is from now on.
bool is_visited(const Fingerprint& state) {
  if (R().segment->visited.slots && visited_table().has(state)) return true;
  if (passed_slot(state).run == R().run) return true;
  remember_passed(state);
  return false;
}

bool is_due() { return R().capturing && R().steps >= R().request->capture_from && R().state_count <= kMaxEvents; }

void keep(const Fingerprint& state) { R().states[R().state_count++] = state; }

}  // namespace

void touch_object(Object& o) {
  Runtime& r = R();
  if (o.stale || r.stale_count > kMaxStale) return;
  if (r.stale_count == kMaxStale) {
    ++r.stale_count;
    return;
  }
  o.stale = 1;
  r.stale[r.stale_count++] = (uint32_t)(&o - r.objects);
}

void state_begin_run() {
  Runtime& r = R();
  r.capturing = captures() && (r.request->flags & wire::kCapture);
  r.state_count = 0;
  r.states_void = 0;
  r.passed_slots = 1024;
  r.stale_count = 0;
  r.objects_print = {};
  if (!r.capturing) return;
  mirror_begin_run();
  for (uint32_t i = 0; i < r.object_count; ++i) {
    r.objects[i].print = {};
    r.objects[i].stale = 0;
    touch_object(r.objects[i]);
  }
}

bool capture_state() {
  if (!is_due()) return true;
  Runtime& r = R();
  mirror_update();
  renew_objects();
  Print sum = r.memory;
  sum.add(r.objects_print);
  add_threads(sum);
  add_keys(sum);
  add_process(sum);
  Fingerprint state = fingerprint_of(sum);
  keep(state);
  return !(r.request->flags & wire::kStopAtVisited) || !is_visited(state);
}

// Nobody is left to do anything: the end is told apart by what it leaves in memory.
void capture_end() {
  if (!is_due()) return;
  mirror_update();
  Print sum = R().memory;
  sum.add(print_of(kProcessFact | 2, 0));
  add_process(sum);
  keep(fingerprint_of(sum));
}

// From here on states have a time. Those that were captured before had none, so that two of them may have been taken for one.
void time_was_read() {
  wire::Segment& s = *R().segment;
  if (s.clock_counts) return;
  s.clock_counts = 1;
  if (captures()) R().states_void = 1;
}

}  // namespace heddle::rt
