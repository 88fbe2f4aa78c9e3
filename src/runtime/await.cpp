// Spin loops end: a thread that is back in the same local state, having only read shared memory since it was there before,
// will do the same again until one of the locations it read changes. Its next operation becomes Await: enabled once that has
// happened. No annotation is needed, and nothing is lost: every run in which it goes round once more ends in the same state.
//
// Local state: the stack from the saved stack pointer up, which includes the saved registers. "Only read" includes operations
// that may write but left the value as it was: a failed compare-exchange, a test-and-set that found the bit set. A plain write outside of
// the thread's own stack, an allocation, any other operation ends the streak.
//
// The state to come back to is moved on after 1, 2, 4, … operations (Brent), so that a loop is found however it was entered.
#include "runtime/state_facts.h"

namespace heddle::rt {
namespace {

constexpr uint64_t kMostStack = 1 << 16;  // deeper stacks are not compared: the loop is bounded by max_steps instead

bool may_only_read(Op op) {
  return op == Op::AtomicLoad || op == Op::AtomicCas || op == Op::AtomicRmw || op == Op::Read;
}

uint64_t stack_top(const Thread& t) { return t.slot ? R().slots[t.slot].fiber_top : layout::stack_high(0); }

uint64_t local_state(Thread& t) {
  if (!captures()) t.frames_low = 0;  // of the operation before
  uint64_t low = frames_low(t), high = stack_top(t);
  if (high - low > kMostStack) return 0;
  auto* word = reinterpret_cast<const uint64_t*>(low);
  auto* end = reinterpret_cast<const uint64_t*>(high);
  uint64_t lane[4] = {t.pending.pc, low, 1, 2};  // four chains, so that multiplications overlap
  auto mix = [](uint64_t& h, uint64_t w) {
    h = (h ^ w) * 0x9e3779b97f4a7c15ULL;
    h ^= h >> 32;
  };
  if (low != reinterpret_cast<uint64_t>(t.sp)) {  // without our own frames: the registers lie below them
    each_register(t, [&](uint64_t value) { mix(lane[1], value); });
    for (uint64_t operand : t.pending.operand) mix(lane[2], operand);
  }
  for (; word + 4 <= end; word += 4)
    for (int i = 0; i < 4; ++i) mix(lane[i], word[i]);
  for (; word < end; ++word) mix(lane[0], *word);
  for (int i = 1; i < 4; ++i) mix(lane[0], lane[i]);
  return lane[0] | 1;
}

void begin_streak(Thread& t, uint64_t state) {
  Streak& s = t.streak;
  R().have_read.remove(t.slot);
  s.anchor = state;
  s.steps = 0;
  s.locations = 0;
  s.overflow = 0;
  s.changed = 0;
}

bool overlap(const Streak::Location& l, uint64_t address, uint64_t size) {
  return address < l.address + l.size && l.address < address + size;
}

void become_waiting(Thread& t) {
  Streak& s = t.streak;
  s.resumed = t.pending;
  s.waiting = 1;
  PendingOp p{};
  p.op = Op::Await;
  p.pc = t.pending.pc;
  p.name = 0;  // several locations: any write may matter
  p.argument = s.steps + 1;
  if (s.locations == 1) {
    p.address = s.location[0].address;
    p.size = s.location[0].size;
    p.name = name_of(p.address);
  }
  t.pending = p;
}

}  // namespace

void end_streak(Thread& t) {
  R().have_read.remove(t.slot);
  t.streak.anchor = 0;
  t.streak.waiting = 0;
}

// The thread has announced its next operation; it has written `wrote` times outside of its stack since the one before.
void watch_for_spinning(Thread& t, bool wrote) {
  Streak& s = t.streak;
  if (wrote || !may_only_read(t.pending.op)) return end_streak(t);
  if (!s.anchor) {
    if (t.pending.pc == s.busy_pc) return;
    begin_streak(t, local_state(t));
    s.power = 1;
    return;
  }
  if (s.overflow) return end_streak(t);
  uint64_t state = local_state(t);
  if (state == s.anchor && s.locations > 0) return become_waiting(t);
  if (++s.steps >= s.power) {
    begin_streak(t, state);
    s.power *= 2;
  }
}

void note_read(uint64_t address, uint32_t size) {
  Streak& s = self().streak;
  s.busy_pc = 0;
  if (!s.anchor) return;
  for (uint32_t i = 0; i < s.locations; ++i)
    if (s.location[i].address == address && s.location[i].size >= size) return;
  if (s.locations == kMaxLocations) {
    s.overflow = 1;
    return;
  }
  s.location[s.locations++] = {address, size};
  R().have_read.add(self().slot);
}

// The running thread has changed memory: whoever has read it in its loop may go on, or need not wait in the first place. Whether a
// thread waits must follow from what it did itself; only whether the wait is over may depend on the others.
void note_change(uint64_t address, uint64_t size) {
  Runtime& r = R();
  if (running()) r.events[r.steps - 1].outcome = 1;
  r.current->streak.busy_pc = r.current->pending.pc;
  end_streak(*r.current);
  for (int i = r.have_read.next(); i >= 0; i = r.have_read.next(i + 1)) {
    Thread& t = r.threads[i];
    if (t.state != ThreadState::Live) continue;
    for (uint32_t k = 0; k < t.streak.locations && !t.streak.changed; ++k)
      if (overlap(t.streak.location[k], address, size)) t.streak.changed = 1;
  }
}

// The wait is over: the operation that the loop was about to repeat is next, from the same state as before.
void stop_waiting(Thread& t) {
  t.pending = t.streak.resumed;
  t.streak.waiting = 0;
  begin_streak(t, t.streak.anchor);
}

}  // namespace heddle::rt
